// Asks a server through the client that openapi-typescript has generated: check.js URL.

import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const [, , baseUrl] = process.argv;
const client = createClient<paths>({ baseUrl });

function expect(right: boolean, what: string): void {
  if (!right) throw new Error(what);
}

const rook = "8/8/8/8/8/2k5/8/K6R w";
const knight = "8/3k4/8/8/8/8/1nK5/2R5 w";

const probed = await client.GET("/v1/probe", { params: { query: { fen: rook } } });
expect(probed.data?.category === "win" && probed.data.dtm === 14, "probe");
expect(probed.data?.moves?.[0]?.uci === "h1d1", "the best move");
const refused = await client.GET("/v1/probe", { params: { query: { fen: "nonsense" } } });
expect(refused.response.status === 400 && refused.error !== undefined, "a refusal");

for (const [fen, isEqual] of [[rook, true], [knight, false]] as const) {
  const query = { params: { query: { fen } } };
  const answer = await client.GET("/makruk", query);
  const mainline = await client.GET("/makruk/mainline", query);
  const plies = mainline.data?.mainline?.length;
  expect(plies !== undefined && (plies === answer.data?.dtm) === isEqual, `the main line of ${fen}: ${plies}`);
  const line = await client.GET("/v1/line", query);
  expect(line.data?.moves?.length === plies && line.data?.end === "checkmate", "the line");
}
console.log("the client in TypeScript works");
