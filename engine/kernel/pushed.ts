/** A request that another system sent; header names are in lower case. */
export interface PushedRequest {
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly text: string
  /** The `token` in the query of the address. */
  readonly token?: string | undefined
}

/** The proof that a request has of its sender, and the one that it has to have. */
export interface SenderProof {
  readonly given: string | undefined
  readonly expected: string
}
