(() => {
  "use strict";
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const options = {
    mode: "vega-lite",
    renderer: "svg",
    ast: true,
    actions: false,
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true },
    config: read("chart-config"),
  };
  for (const place of document.querySelectorAll(".chart")) {
    vegaEmbed(place, read(place.dataset.spec), options).then(
      () => { place.dataset.drawn = "yes"; },
      (error) => {
        place.dataset.drawn = "no";
        place.textContent = "This chart could not be drawn; its numbers are in the table below.";
        console.error(error);
      },
    );
  }
})();
