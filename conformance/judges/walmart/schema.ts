/** The carriers that Orders v3 (US) names. */
const carriers = (
  'UPS|USPS|FedEx|Airborne|OnTrac|DHL Ecommerce - US|DHL|LS|UDS|UPSMI|FDX|PILOT|ESTES|SAIA|FDS Express|Seko Worldwide|' +
  'HIT Delivery|FEDEXSP|RL Carriers|Metropolitan Warehouse & Delivery|China Post|YunExpress|Yellow Freight Sys|' +
  'AIT Worldwide Logistics|Chukou1|Sendle|Landmark Global|Sunyou|Yanwen|4PX|GLS|OSM Worldwide|FIRST MILE|AM Trucking|' +
  'CEVA|India Post|SF Express|CNE|TForce Freight|AxleHire|LSO|Royal Mail|ABF Freight System|WanB|Roadrunner Freight|' +
  'Meyer Distribution|AAA Cooper|Canada Post|Southeastern Freight Lines|Japan Post|Correos de Mexico|XPO Logistics|' +
  'JD Logistics|YDH|JCEX|Flyt|Deutsche Post|Better Trucks|Asendia|SFC|UBI|ePost Global|YF Logistics|RXO|' +
  'Estes Express|Shypmax|WIN.IT America|PITT OHIO|PostNord Sweden|Equick|Whistl|Tusou|Shiprocket|DTDC|PTS'
).split('|')

/** A quantity of a line. */
export const quantity = {
  type: 'object',
  required: ['unitOfMeasurement', 'amount'],
  properties: { unitOfMeasurement: { enum: ['EACH', 'EA'] }, amount: { type: 'string', pattern: '^[0-9]+$' } },
}

/** The tracking of a line that was shipped. */
export const lineTracking = {
  type: 'object',
  additionalProperties: false,
  required: ['shipDateTime', 'carrierName', 'methodCode', 'trackingNumber'],
  properties: {
    shipDateTime: { type: 'integer' },
    carrierName: {
      oneOf: [
        {
          type: 'object',
          additionalProperties: false,
          required: ['carrier'],
          properties: { carrier: { enum: carriers } },
        },
        {
          type: 'object',
          additionalProperties: false,
          required: ['otherCarrier'],
          properties: { otherCarrier: { type: 'string', minLength: 1 } },
        },
      ],
    },
    methodCode: { enum: ['Standard', 'Express', 'OneDay', 'Freight', 'WhiteGlove', 'Value'] },
    trackingNumber: { type: 'string', minLength: 1 },
    trackingURL: { type: 'string', format: 'uri' },
  },
}

const lineStatus = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'statusQuantity'],
  properties: {
    status: { enum: ['Created', 'Acknowledged', 'Shipped', 'Delivered', 'Cancelled', 'Refund'] },
    statusQuantity: quantity,
    cancellationReason: { type: 'string' },
    trackingInfo: lineTracking,
    returnCenterAddress: { type: 'object' },
  },
}

const line = {
  type: 'object',
  additionalProperties: false,
  required: ['lineNumber', 'item', 'charges', 'orderLineQuantity', 'statusDate', 'orderLineStatuses'],
  properties: {
    lineNumber: { type: 'string', minLength: 1 },
    item: {
      type: 'object',
      required: ['productName', 'sku'],
      properties: { productName: { type: 'string' }, sku: { type: 'string' } },
    },
    charges: { type: 'object', required: ['charge'], properties: { charge: { type: 'array' } } },
    orderLineQuantity: quantity,
    statusDate: { type: 'integer' },
    orderLineStatuses: {
      type: 'object',
      additionalProperties: false,
      required: ['orderLineStatus'],
      properties: { orderLineStatus: { type: 'array', minItems: 1, items: lineStatus } },
    },
    sellerOrderId: { type: 'string', maxLength: 30 },
  },
}

/** The lines of an order. */
export const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['orderLines'],
  properties: {
    orderLines: {
      type: 'object',
      additionalProperties: false,
      required: ['orderLine'],
      properties: { orderLine: { type: 'array', items: line } },
    },
  },
}
