/** What an answer could go by, in numbered lines, so that evidence can be pointed at. */

import type { VerifiedClaim } from "./claim-verification.js";
import type { ClaimSource } from "./types.js";

/** Lines of a source, as a model cites them: from `start_range` to before `end_range`, counted from 0. */
interface Citation {
  source_id: string;
  start_range: number;
  end_range: number;
}

/** A claim as the engine reports it: the place of it, and the answer of the model. */
export interface ReportedClaim extends Pick<VerifiedClaim, "startIndex" | "endIndex" | "claim" | "proof"> {
  citations: readonly Citation[];
  verified_probability: number;
  open_domain_justification: string;
  open_domain_probability: number;
  is_open_domain: boolean;
}

/** The sources of an answer. */
export class Sources {
  readonly #sources: readonly ClaimSource[];

  constructor(sources: readonly ClaimSource[]) {
    this.#sources = sources;
  }

  /** All of them, as a model reads them. No text can end the block that it stands in. */
  get text(): string {
    const blocks = this.#sources.map(({ sourceId, title, content }) => {
      const numbered = linesOf(content).map((line, number) => `${number}→${line}`);
      return `<source>
<source_id>${inside(sourceId)}</source_id>
<title>${inside(title)}</title>
${inside(numbered.join("\n"))}
</source>`;
    });
    return blocks.join("\n\n");
  }

  /** A claim of the text as callers get it: with its sentence, and with what is cited. */
  toClaim(text: string, { startIndex, endIndex, claim, proof, ...verdict }: ReportedClaim): VerifiedClaim {
    const citations: VerifiedClaim["citations"] = [];
    const invalid: VerifiedClaim["invalidCitations"] = [];
    for (const citation of verdict.citations) {
      const { source_id: sourceId, start_range: startRange, end_range: endRange } = citation;
      // Models take citations back by making them empty.
      if (startRange === endRange) continue;
      const lines = this.#linesOf(sourceId);
      const cited = lines.slice(Math.max(startRange, 0), Math.max(endRange, 0));
      const citedText = cited.join("\n").trimEnd();
      if (citedText) citations.push({ sourceId, citedText });
      const exist = startRange >= 0 && startRange < endRange && endRange <= lines.length;
      if (!exist) invalid.push({ sourceId, startRange, endRange });
    }
    return {
      sentence: text.slice(startIndex, endIndex),
      startIndex,
      endIndex,
      claim,
      proof,
      citations,
      verifiedProbability: verdict.verified_probability,
      openDomainJustification: verdict.open_domain_justification,
      openDomainProbability: verdict.open_domain_probability,
      isOpenDomain: verdict.is_open_domain,
      ...(invalid.length && { invalidCitations: invalid }),
    };
  }

  #linesOf(sourceId: string): readonly string[] {
    const source = this.#sources.find((source) => source.sourceId === sourceId);
    return source ? linesOf(source.content) : [];
  }
}

const linesOf = (content: string): string[] => content.split(/\r\n|[\n\r\u2028\u2029]/);

/** A text that ends no block around it. */
const inside = (text: string): string => text.replace(/<(?=\/\s*(source|title))/gi, "&lt;");
