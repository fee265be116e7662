// Simpson's paradox: the state is the shares that apply to A or B, in
// thousandths. DATA counts the people of 1973: those who applied and those who
// were admitted, in A or B (`high`) and in C to F (`low`).

function view(state) {
  const written = {};
  const drawn = {};
  for (const name of ["women", "men"]) {
    const { people, share, overall } = group(name, state[name]);
    const [x, y] = [tenth(1000 * share), tenth(1000 * (1 - overall))];
    written[name] = `${Math.round(share * people)} of ${people}`;
    written[`${name}_share`] = share.toFixed(3);
    written[`${name}_overall`] = overall.toFixed(4);
    const [high, low] = [
      { x: 0, width: x },
      { x, width: tenth(1000 - x) },
    ];
    drawn[`${name}_high`] = drawn[`${name}_high_admitted`] = high;
    drawn[`${name}_low`] = drawn[`${name}_low_admitted`] = low;
    drawn[`${name}_level`] = { d: `M0 ${y}H1000` };
    drawn[`${name}_grip`] = { transform: `translate(${x} 0)` };
    drawn[`${name}_leader`] = { d: `M-60 ${y}H${x}` };
    drawn[`${name}_mark`] = { transform: `translate(-60 ${y})` };
    drawn[`${name}_point`] = { transform: `translate(${x} ${y})` };
  }
  written.verdict = verdict(lead(state));
  return { written, drawn, solves: solved(state) };
}

// The overall rate is the mean of the rates, weighted by the applications.
function group(name, thousandths) {
  const { applied, admitted } = DATA[name];
  const people = applied.high + applied.low;
  // People are whole. Rounded down, the start is that of 1973 exactly.
  const share = Math.floor((people * thousandths) / 1000) / people;
  const overall =
    (share * admitted.high) / applied.high +
    ((1 - share) * admitted.low) / applied.low;
  return { people, share, overall };
}

function lead({ women, men }) {
  return group("women", women).overall - group("men", men).overall;
}

function verdict(difference) {
  if (Math.abs(difference) < 0.0005) {
    return "the two rates agree within 0.05 percentage points";
  }
  const points = (Math.round(1000 * Math.abs(difference)) / 10).toFixed(1);
  const ahead = difference > 0 ? "women" : "men";
  return `the ${ahead} have the higher rate, by ${points} percentage points`;
}

function solved({ women, men }) {
  const difference = lead({ women, men });
  const isTen = Math.abs(difference - 0.1) < 0.0005;
  // Whole people of two numbers have the same share only nearly.
  const [one, other] = [group("women", women), group("men", men)];
  const isAlike = Math.abs(one.share - other.share) < 0.001;
  // With fewer men in A or B it cannot be reached, even if no woman applies
  // there.
  const isLeast = men > 0 && -lead({ women: 0, men: men - 1 }) <= 0.1;
  return [
    ...(men === 515 && Math.abs(difference) < 0.0005 ? ["equal"] : []),
    ...(isAlike && isTen ? ["alike"] : []),
    ...(-difference > 0.1 && isLeast ? ["reversed"] : []),
  ];
}

function tenth(length) {
  return Math.round(10 * length) / 10;
}
