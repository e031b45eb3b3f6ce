import * as v from 'valibot'
import { url } from '../../kernel/schemas.ts'

const secret = v.pipe(v.string(), v.minLength(1), v.maxLength(4000))
const optional = v.exactOptional(secret)
const tokenUrl = v.exactOptional(url)

/** The members of the credentials of each kind of shop. `webhook_secret` checks what the shop sends. */
export const credentialsOf = {
  shopify: v.strictObject({ access_token: secret, webhook_secret: optional }),
  woocommerce: v.strictObject({ consumer_key: secret, consumer_secret: secret, webhook_secret: optional }),
  bigcommerce: v.strictObject({ access_token: secret, webhook_secret: optional }),
  magento: v.strictObject({ access_token: secret }),
  etsy: v.strictObject({ client_id: secret, refresh_token: secret, shop_id: secret, token_url: tokenUrl }),
  amazon: v.strictObject({
    client_id: secret,
    client_secret: secret,
    refresh_token: secret,
    marketplace_id: secret,
    token_url: tokenUrl,
  }),
  walmart: v.strictObject({ client_id: secret, client_secret: secret }),
} as const

/** A kind of shop. Its documents have the format of the same name. */
export type ShopKind = keyof typeof credentialsOf

/** The kinds of shops. */
export const shopKinds = Object.keys(credentialsOf) as [ShopKind, ...ShopKind[]]

/** The credentials of a shop by their names. */
export type ShopCredentials = Readonly<Record<string, string>>
