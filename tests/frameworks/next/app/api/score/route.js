import { exactMatch } from "openevals-wasm";

export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json(await exactMatch({ outputs: { a: 1 }, referenceOutputs: { a: 1 } }));
}
