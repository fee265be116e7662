// What a positive result means: all of the state is in thousandths.

function view({ prevalence, sensitivity, specificity }) {
  const [well, alarms] = [1000 - prevalence, 1000 - specificity];
  // In millionths, so that all are whole.
  const areas = {
    hits: prevalence * sensitivity,
    misses: prevalence * (1000 - sensitivity),
    falseAlarms: well * alarms,
    rejections: well * specificity,
  };
  const positive = areas.hits + areas.falseAlarms;
  const negative = areas.misses + areas.rejections;
  const share = (part, whole) =>
    whole ? (part / whole).toFixed(3) : "not defined";

  const hits = Math.floor((areas.hits + 500) / 1000);
  const falseAlarms = Math.floor((areas.falseAlarms + 500) / 1000);
  const counts = [hits, prevalence - hits, falseAlarms, well - falseAlarms];

  const box = (x, y, width, height) => ({ x, y, width, height });
  const at = positive ? 1000 * (1 - areas.hits / positive) : 500;
  const half = 2 * areas.hits === positive && positive > 0;
  const isExample = sensitivity === 900 && specificity === 900;
  const saysNothing =
    sensitivity === alarms && alarms > 0 && prevalence > 0 && well > 0;
  return {
    written: {
      prevalence: (prevalence / 1000).toFixed(3),
      sensitivity: (sensitivity / 1000).toFixed(3),
      specificity: (specificity / 1000).toFixed(3),
      ill: String(prevalence),
      called: String(hits + falseAlarms),
      hits: String(hits),
      posterior: share(areas.hits, positive),
      negative: share(areas.misses, negative),
    },
    drawn: {
      hits: box(0, 1000 - sensitivity, prevalence, sensitivity),
      misses: box(0, 0, prevalence, 1000 - sensitivity),
      false_alarms: box(prevalence, specificity, well, alarms),
      rejections: box(prevalence, 0, well, specificity),
      grip_prevalence: { transform: `translate(${prevalence} 0)` },
      grip_sensitivity: { transform: `translate(0 ${1000 - sensitivity})` },
      grip_specificity: { transform: `translate(1000 ${specificity})` },
      ...people(counts),
      curve: { d: curve(sensitivity, alarms) },
      point: {
        transform: `translate(${prevalence} ${rounded(at)})`,
        visibility: positive ? "visible" : "hidden",
      },
    },
    solves: [
      ...(half && isExample ? ["half"] : []),
      ...(2 * areas.hits > positive && prevalence === 10 ? ["rare"] : []),
      ...(saysNothing ? ["nothing"] : []),
    ],
  };
}

function rounded(length) {
  return Math.round(10 * length) / 10;
}

// A thousand people in columns of 25, one group after the other.
function people(counts) {
  let first = 0;
  const groups = counts.map((count) => {
    let d = "";
    for (let place = first; place < first + count; place++) {
      const [x, y] = [25 * Math.floor(place / 25), 40 * (place % 25)];
      d += `M${x + 12.5} ${y + 20}h0`;
    }
    first += count;
    return { d };
  });
  const [hits, misses, falseAlarms, rejections] = groups;
  return {
    people_hits: hits,
    people_misses: misses,
    people_false_alarms: falseAlarms,
    people_rejections: rejections,
  };
}

// The posterior for every prevalence, where it is defined.
function curve(sensitivity, alarms) {
  const points = [];
  for (let prevalence = 0; prevalence <= 1000; prevalence += 10) {
    const hits = prevalence * sensitivity;
    const positive = hits + (1000 - prevalence) * alarms;
    if (positive) {
      points.push(`${prevalence} ${rounded(1000 * (1 - hits / positive))}`);
    }
  }
  return points.length ? `M${points.join("L")}` : "";
}
