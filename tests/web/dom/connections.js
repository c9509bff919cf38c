// Connections of a page that this process lacks, or has without cookies: messages between pages, and event streams.

/** BroadcastChannel among the pages of one browser. */
export function channels() {
  /** @type {Set<EventTarget>} */
  const open = new Set();
  return class extends EventTarget {
    constructor() {
      super();
      open.add(this);
    }
    /** @param {unknown} data */
    postMessage(data) {
      for (const other of open) {
        if (other === this) continue;
        queueMicrotask(() =>
          other.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }))
        );
      }
    }
    close() {
      open.delete(this);
    }
  };
}

/** EventSource with the cookies of the browser. @param {any} browser @param {Set<any>} streams those of the page */
export function eventSource(browser, streams) {
  return class extends EventTarget {
    #stop = new AbortController();
    /** @param {string} url */
    constructor(url) {
      super();
      streams.add(this);
      void this.#read(url).catch(() => this.fail());
    }
    fail() {
      if (!streams.has(this)) return;
      this.#stop.abort();
      this.dispatchEvent(new Event("error"));
    }
    close() {
      streams.delete(this);
      this.#stop.abort();
    }
    /** @param {string} url */
    async #read(url) {
      if (browser.isOffline) throw new TypeError("Failed to fetch");
      const response = await browser.responseTo(
        new URL(url, browser.origin),
        { signal: this.#stop.signal },
        null,
      );
      if (!response.ok || !response.body) throw new TypeError(String(response.status));
      let rest = "";
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        const events = (rest + text).split(/\r?\n\r?\n/);
        rest = events.pop() ?? "";
        for (const event of events) this.#send(event);
      }
      throw new TypeError("ended");
    }
    /** @param {string} event its lines */
    #send(event) {
      const lines = event.split(/\r?\n/).map((line) => /^(\w*): ?(.*)$/.exec(line));
      const fields = new Map(lines.map((found) => [found?.[1] ?? "", found?.[2] ?? ""]));
      const type = fields.get("event") ?? "message";
      this.dispatchEvent(new MessageEvent(type, { data: fields.get("data") ?? "" }));
    }
  };
}
