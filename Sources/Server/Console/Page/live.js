// Payments as they happen: a row for each of the newest, replaced when its payment changes.
const live = document.getElementById("live");
const liveState = document.getElementById("live-state");
const livePause = document.getElementById("live-pause");
const liveRowsAtMost = 200;
let liveSource;

const liveCell = (name, ...content) => {
  const cell = document.createElement(name);
  cell.append(...content);
  return cell;
};

const liveRow = (payment) => {
  const row = document.createElement("tr");
  row.dataset.reference = payment.reference;
  const link = document.createElement("a");
  link.href = payment.link;
  link.append(liveCell("bdi", payment.reference));
  const head = liveCell("th", link);
  head.scope = "row";
  const badge = liveCell("span", payment.state);
  badge.className = `badge ${payment.tone}`;
  const amount = liveCell("td", payment.amount);
  amount.className = "number";
  const time = document.createElement("time");
  time.dateTime = payment.claimed;
  time.textContent = `${payment.claimed.replace("T", " ").replace("Z", "")} UTC`;
  inReadersZone(time);
  row.append(
    head, liveCell("td", badge), amount, liveCell("td", payment.card), liveCell("td", liveCell("bdi", payment.said)),
    liveCell("td", liveCell("bdi", payment.client)), liveCell("td", time));
  return row;
};

const liveShow = (payment) => {
  const row = liveRow(payment);
  const known = [...live.rows].find((each) => each.dataset.reference === payment.reference);
  if (known) known.replaceWith(row);
  else live.prepend(row);
  while (live.rows.length > liveRowsAtMost) live.lastElementChild.remove();
};

const liveStop = (text) => {
  liveSource.close();
  liveState.textContent = text;
  livePause.textContent = "Go on";
};

const liveStart = () => {
  liveState.textContent = "Connecting.";
  livePause.textContent = "Pause";
  liveSource = new EventSource("/console/live/events");
  liveSource.addEventListener("open", () => { liveState.textContent = "Payments appear here as they happen."; });
  liveSource.addEventListener("payment", (event) => liveShow(JSON.parse(event.data)));
  liveSource.addEventListener("end", () => liveStop("The session has ended, or the relay stops. Load the page again to log in."));
  liveSource.addEventListener("error", () => {
    if (liveSource.readyState === EventSource.CLOSED) liveStop("The relay refuses to go on: the session has ended, or too many are watching.");
    else liveState.textContent = "The relay cannot be reached. Trying again.";
  });
};

livePause.hidden = false;
livePause.addEventListener("click", () => {
  if (liveSource.readyState === EventSource.CLOSED) liveStart();
  else liveStop("Paused.");
});
liveStart();
