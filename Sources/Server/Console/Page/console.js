// Times in the zone that the reader chose, or in the browser's own; the page has them in UTC, and keeps that in the title. Both are written
// alike, so nothing moves.
const two = (number) => String(number).padStart(2, "0");

const zone = (date) => {
  const minutes = -date.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
};

// The same of a zone by its name; nothing where the browser does not know it.
const chosenZone = document.documentElement.dataset.zone;
let inChosenZone;
try {
  inChosenZone = chosenZone && new Intl.DateTimeFormat("en-GB", {
    timeZone: chosenZone, hourCycle: "h23", timeZoneName: "longOffset",
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
} catch { /* A zone that is newer than the browser. */ }

// How long ago, as the page has it; the page may stay open.
const ago = (date) => {
  const seconds = Math.max(0, Math.floor((Date.now() - date) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86400);
  return `${days} day${days === 1 ? "" : "s"} ago`;
};

const inReadersZone = (element) => {
  const date = new Date(element.dateTime);
  if (Number.isNaN(date.getTime())) return;
  if ("ago" in element.dataset) {
    // The exact time is in the title already.
    element.textContent = ago(date);
    return;
  }
  element.title = element.textContent;
  if (inChosenZone) {
    const part = Object.fromEntries(inChosenZone.formatToParts(date).map(({ type, value }) => [type, value]));
    const offset = part.timeZoneName.replace("GMT", "") || "+00:00";
    element.textContent = `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second} ${offset}`;
    return;
  }
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  element.textContent = `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${zone(date)}`;
};

for (const element of document.querySelectorAll("time[datetime]")) inReadersZone(element);
setInterval(() => {
  for (const element of document.querySelectorAll("time[data-ago]")) inReadersZone(element);
}, 30_000);

// Times that are typed are of the reader's own zone, where the form names no other: also the days of the header's
// search box. The form shows it.
for (const field of document.querySelectorAll("input[data-zone]")) field.value ||= zone(new Date());

const note = document.getElementById("zone");
if (note) {
  note.textContent = `Times are of ${inChosenZone ? chosenZone : `your zone, UTC${zone(new Date())}`}; UTC is in their title.`;
}

// A form that is on its way is not sent twice. The relay would not act twice either.
addEventListener("submit", (event) => {
  if (event.target.method !== "post") return;
  for (const button of event.target.querySelectorAll("button")) {
    button.setAttribute("aria-disabled", "true");
  }
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "true";
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  }
});
