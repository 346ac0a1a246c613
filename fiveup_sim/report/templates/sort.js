// A click on a head sorts its table by that column; another one turns the order round.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, i) => head.firstChild.addEventListener("click", () => {
    const isDown = head.getAttribute("aria-sort") === "ascending";
    const key = (row) => row.cells[i].dataset.order;
    const isNumber = row => row.cells[i].classList.contains("number");
    const rows = [...table.tBodies[0].rows].sort((a, b) => {
      if (!isNumber(a) || !isNumber(b)) return key(a).localeCompare(key(b));
      const [x, y] = [Number(key(a)), Number(key(b))];
      return Number.isNaN(x) - Number.isNaN(y) || x - y || 0;  // what is not known comes last
    });
    if (isDown) rows.reverse();
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    table.tBodies[0].append(...rows);
  }));
}
