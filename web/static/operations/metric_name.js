/** A number's name in Prometheus, with its labels. */
export function nameOfMetric(metric, labels) {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length ? `${metric}{${pairs.join(', ')}}` : metric;
}
