// Answers: the loop of a process that compares JavaScript with the server, a question and an answer a line, as JSON.

/**
 * Answers the questions of standard input until it ends.
 * @param {(question: any) => unknown} answer
 */
export async function answers(answer) {
  const encoder = new TextEncoder();
  let rest = "";
  for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      await Deno.stdout.write(encoder.encode(JSON.stringify(await answer(JSON.parse(line))) + "\n"));
    }
  }
}
