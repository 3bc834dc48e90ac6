// A button that copies a text, and says that it did.

import { button } from "./parts.js";

const SHOWN_FOR = 1600;

/** `text()` is asked when the button is pressed. */
export function copyButton(label, text, attributes = {}) {
  const node = button(
    label,
    async () => {
      const isDone = await copy(text());
      node.textContent = isDone ? "Copied" : "Not allowed by the browser";
      setTimeout(() => (node.textContent = label), SHOWN_FOR);
    },
    { "aria-live": "polite", ...attributes },
  );
  return node;
}

/** The clipboard is there on loopback and HTTPS only; elsewhere a hidden field must do. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByField(text);
  }
}

function copyByField(text) {
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  document.body.append(area);
  area.select();
  const isDone = document.execCommand("copy");
  area.remove();
  before?.focus();
  return isDone;
}
