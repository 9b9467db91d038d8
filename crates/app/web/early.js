// Sets the saved theme before the first paint, so that a dark page does not flash.
try {
  document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";
} catch {
  // This browser stores nothing.
}
