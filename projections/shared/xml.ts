/** An element of an XML document: names as they are written, prefix and all; text and elements in order. */
export interface XmlElement {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly children: readonly (XmlElement | string)[]
}
