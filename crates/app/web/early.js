// Before the first paint: the theme that the player chose, so that a dark page does not flash.
try {
  document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";
} catch {
  // A browser that keeps nothing has no theme to give.
}
