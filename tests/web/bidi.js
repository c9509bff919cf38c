// A line of JSON from standard input becomes a WebSocket message to a browser, and the reverse.

const socket = new WebSocket(Deno.args[0] ?? "");
const written = new TextEncoder();
socket.onmessage = ({ data }) => Deno.stdout.writeSync(written.encode(data.replaceAll("\n", " ") + "\n"));
socket.onclose = () => Deno.exit(0);
await new Promise((opened) => (socket.onopen = opened));
let rest = "";
for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  lines.forEach((line) => socket.send(line));
}
