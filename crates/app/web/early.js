// Sets the player's theme before the first paint, so that a dark page does not flash.
try {
  document.documentElement.dataset.theme = localStorage.getItem("theme") || "auto";
} catch {
  // Without local storage there is no saved theme.
}
