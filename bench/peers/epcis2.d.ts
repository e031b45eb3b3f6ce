/** The measured parts of epcis2.js 2.7; the package declares no types. */
declare module 'epcis2.js' {
  interface ObjectEvent {
    setEventID(id: string): ObjectEvent
    setEventTime(time: string): ObjectEvent
    setEventTimeZoneOffset(offset: string): ObjectEvent
    setRecordTime(time: string): ObjectEvent
    setAction(action: string): ObjectEvent
    setBizStep(step: string): ObjectEvent
    setDisposition(disposition: string): ObjectEvent
    addEPCList(list: readonly string[]): ObjectEvent
    setReadPoint(id: string): ObjectEvent
    setBizLocation(id: string): ObjectEvent
    addBizTransaction(transaction: object): ObjectEvent
    addExtension(name: string, value: unknown): ObjectEvent
    toObject(): object
  }

  interface EPCISDocument {
    setContext(context: unknown): EPCISDocument
    setCreationDate(time: string): EPCISDocument
    addEvent(event: ObjectEvent): EPCISDocument
    toString(): string
  }

  const epcis2: {
    readonly ObjectEvent: new () => ObjectEvent
    readonly EPCISDocument: new () => EPCISDocument
    readonly BizTransactionElement: new (members: object) => object
    readonly eventToHashedId: (event: object, context: object) => string
  }
  export default epcis2
}
