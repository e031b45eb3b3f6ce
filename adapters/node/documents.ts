/**
 * Fetches a document of somebody else by its URL, under the rules that protect the network of the server: its address, its
 * size (16 KiB) and its time (3 seconds). Undefined if it cannot be had; never throws.
 */
export type FetchDocument = (url: string) => Promise<string | undefined>
