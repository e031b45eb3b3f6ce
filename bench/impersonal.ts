/** Lines of events without personal data, as a scanner in a depot sends them: nothing in them is encrypted. */
export function impersonal(lines: readonly string[]): readonly string[] {
  return lines.map((line) => {
    const { description, pod, location, ...event } = JSON.parse(line) as Line
    const { latitude, longitude, ...place } = location
    return JSON.stringify({ ...event, location: place })
  })
}

interface Line {
  readonly description: string
  readonly pod?: object
  readonly location: { readonly latitude: number; readonly longitude: number }
}
