/** Name of a stream: `category-id`. The category is the part before the first hyphen. */
export type StreamName = `${string}-${string}`

/** The category of a stream: `tracking` of `tracking-tracking_number:SR1`. */
export function categoryOf(stream: string): string {
  const end = stream.indexOf('-')
  return end < 0 ? stream : stream.slice(0, end)
}

/** The id in the name of a stream: `tracking_number:SR1` of `tracking-tracking_number:SR1`. */
export function idInStream(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
