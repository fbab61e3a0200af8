document.addEventListener("DOMContentLoaded", () => {
    const figures = document.getElementById("figures");
    if (typeof Chart !== "undefined") {
        Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
        adopt_theme();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", adopt_theme);
    }
    ({stats: show_stats, profile: show_profile, bench: show_bench, compare: show_compare})[figures.dataset.kind](JSON.parse(figures.textContent));
});
