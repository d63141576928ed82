/** The bytes of an embedded copy: gzip, as base64 text. */
export async function unpacked(base64: string): Promise<Uint8Array> {
  const compressed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
