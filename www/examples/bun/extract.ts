export interface Invoice {
  number?: string;
  total?: number;
  currency?: string;
}

/** What is tested: reads an invoice. Yours may ask a model. */
export async function extract(text: string): Promise<Invoice> {
  const [, number] = /invoice (?:no\.? )?([\w-]+)/i.exec(text) ?? [];
  const [, currency, total] = /\b(EUR|USD|GBP) ([\d,]+\.\d\d)/.exec(text) ?? [];
  return { number, currency, ...(total && { total: Number(total.replaceAll(",", "")) }) };
}
