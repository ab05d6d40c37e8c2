// What a page says when it cannot play. It stands before the data and the other scripts: it must work without them.

const byId = (id) => document.getElementById(id);

/** Data that cannot be played; its message is shown. */
class Problem extends Error {}

/** Says on the page why it does not play, and stops it. The first reason stays. */
function giveUp(error) {
  const reason = error instanceof Problem ? error.message : `This page's data is damaged, or its script is (${(error && error.message) || error}). Make the page again.`;
  if (window.player) window.player.playing = false;
  if (!byId("problem").hidden) return;
  byId("problem").textContent = reason;
  byId("problem").hidden = false;
  document.querySelectorAll("button, input, select").forEach((control) => { control.disabled = true; });
}

// Only an exception has an error: a browser reports other things in the same way.
window.addEventListener("error", (event) => { if (event.error) giveUp(event.error); });
window.addEventListener("unhandledrejection", (event) => giveUp(event.reason));
document.addEventListener("DOMContentLoaded", () => {
  if (!window.player) giveUp(new Problem("This page has not started: its end is missing, with data or the script. Make the page again."));
});
