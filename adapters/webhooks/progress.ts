/** How far the flow of events has come; positions. */
export interface Progress {
  /** The event whose deliveries are being made, or were made last. */
  begun: string
  /** All deliveries of the events up to this one are saved. */
  saved: string
}
