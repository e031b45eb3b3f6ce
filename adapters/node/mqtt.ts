import { portFrom } from './address.ts'

/** Where MQTT is spoken: a broker of this server on a port, another broker at a URL, or both. */
export interface MqttSetting {
  readonly port: number | undefined
  readonly url: string | undefined
}

const schemes: readonly string[] = ['mqtt:', 'mqtts:', 'ws:', 'wss:']

/** `OTEP_MQTT_PORT` and `OTEP_MQTT_URL`; the error does not repeat the URL, which may contain a password. */
export function mqttFrom(env: Readonly<Record<string, string | undefined>>): MqttSetting | undefined {
  const { OTEP_MQTT_PORT: port, OTEP_MQTT_URL: url } = env
  if (!port && !url) return undefined
  if (url && !(URL.canParse(url) && schemes.includes(new URL(url).protocol)))
    throw new Error('OTEP_MQTT_URL must be the address of a broker, such as mqtts://USER:PASSWORD@broker.example:8883.')
  return { port: port ? portFrom('OTEP_MQTT_PORT', port) : undefined, url: url || undefined }
}
