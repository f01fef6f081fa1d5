// Browsers start no Worker of a page that is read from a disk. The search's runs in a frame then, with the same messages.
(() => {
  if (location.protocol !== "file:") return;

  window.Worker = class extends EventTarget {
    #frame = document.createElement("iframe");
    #loaded;

    constructor(url) {
      super();
      this.#frame.hidden = true;
      document.body.append(this.#frame);
      const frame = this.#frame.contentWindow;
      frame.document.open();
      frame.document.write("<!doctype html><html><body></body></html>");
      frame.document.close();
      frame.postMessage = data => setTimeout(() => this.#receive(data));
      this.#loaded = load(frame, url).catch(error => this.dispatchEvent(new ErrorEvent("error", { message: error.message })));
    }

    #receive(data) {
      const message = new MessageEvent("message", { data });
      this.dispatchEvent(message);
      this.onmessage?.(message);
    }

    postMessage(data) {
      this.#loaded.then(() => this.#frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.#frame.remove();
    }
  };

  const load = (frame, url) => new Promise((resolve, reject) => {
    const script = frame.document.createElement("script");
    frame.importScripts = (...urls) => urls.reduce((before, next) => before.then(() => load(frame, next)), Promise.resolve());
    script.src = url;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${url} cannot be loaded`));
    frame.document.body.append(script);
  });
})();
