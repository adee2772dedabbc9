for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Words and places go up first, and numbers go down, of which one looks for the largest.
      const before = head.getAttribute("aria-sort");
      const rising = before === null
        ? column === 0 || head.classList.contains("text") : before === "descending";
      const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
      const rows = [...table.tBodies[0].rows].sort((one, other) => {
        const [a, b] = [value(one), value(other)];
        const order = a !== "" && b !== "" && !isNaN(a) && !isNaN(b)
          ? a - b : a.localeCompare(b, undefined, {numeric: true});
        return rising ? order : -order;
      });
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      table.tBodies[0].append(...rows);
    });
  });
}
