// A click on a head sorts its table by that column; another one turns the order round.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, i) => head.firstChild.addEventListener("click", () => {
    const isDown = head.getAttribute("aria-sort") === "ascending";
    const number = (row) => Number(row.cells[i].dataset.order ?? NaN);
    const text = (row) => row.cells[i].textContent;
    const rows = [...table.tBodies[0].rows].sort((a, b) => {
      const [x, y] = [number(a), number(b)];
      if (Number.isNaN(x) && Number.isNaN(y)) return text(a).localeCompare(text(b));
      return Number.isNaN(x) - Number.isNaN(y) || x - y;  // what is not known comes last
    });
    if (isDown) rows.reverse();
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    table.tBodies[0].append(...rows);
  }));
}
