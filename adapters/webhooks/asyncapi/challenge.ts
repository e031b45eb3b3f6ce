import type { JsonSchema } from '../../http/schema.ts'

const name = 'webhook.challenge'

const challenge = { type: 'string', pattern: '^[0-9a-f]{64}$' }

const example = '5f4dcc3b5aa765d61d8327deb882cf99'.repeat(2)

function messageOf(title: string, properties: JsonSchema, headers: JsonSchema, payload: JsonSchema): JsonSchema {
  return {
    name: title,
    title,
    contentType: 'application/json',
    headers: { type: 'object', properties: headers, required: Object.keys(headers) },
    payload: { type: 'object', properties, required: Object.keys(properties) },
    examples: [{ name: 'example', payload }],
  }
}

/** The challenge that a URL has to echo before it is subscribed to order handoffs; `headers` are those that are signed. */
export function challengeParts(headers: JsonSchema) {
  const asked = messageOf(name, { type: { const: name }, challenge }, headers, { type: name, challenge: example })
  const echoed = messageOf(`${name}.echo`, { challenge }, {}, { challenge: example })
  const refTo = (kind: string) => ({ $ref: `#/channels/${name}/messages/${kind}` })
  const summary = 'A new subscription to order handoffs has to echo a random text, with status 200, before it exists.'
  return {
    channels: {
      [name]: {
        ...{ address: null, title: name, summary, 'x-channel': 'order_handoff' },
        messages: {
          native: { $ref: `#/components/messages/${name}` },
          echo: { $ref: `#/components/messages/${name}.echo` },
        },
      },
    },
    operations: {
      [`send.${name}`]: {
        ...{ action: 'send', channel: { $ref: `#/channels/${name}` }, summary },
        security: [{ $ref: '#/components/securitySchemes/handoff' }],
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
        messages: [refTo('native')],
        reply: { channel: { $ref: `#/channels/${name}` }, messages: [refTo('echo')] },
      },
    },
    messages: { [name]: asked, [`${name}.echo`]: echoed },
  }
}
