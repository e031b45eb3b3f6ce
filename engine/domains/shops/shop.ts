import * as v from 'valibot'
import { type AccessRule, type Entity, everybody, type Fields, nobody } from '../../entity/field.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import { id, url, word } from '../../kernel/schemas.ts'
import { shopKinds } from './kinds.ts'
import { moves, statuses } from './moves.ts'

/** The decisions that hold for most fields. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'column',
  webhooks: 'none',
  setBy: everybody,
  shownTo: staff,
} as const

const fields = {
  shop_id: { ...shown, about: 'Id of the shop.', type: id, example: 3, set: { connect: 'engine' } },
  business_id: {
    ...shown,
    about: 'Id of the business that works with the shop.',
    type: id,
    example: 1,
    set: { connect: 'engine' },
    listed: 'key',
    shownTo: nobody,
  },
  status: {
    ...shown,
    about: 'Status of the shop.',
    type: v.picklist(Object.keys(statuses)),
    example: 'connected',
    set: {},
    listed: 'filter',
  },
  kind: {
    ...shown,
    about: 'The software or the marketplace that the shop runs on.',
    type: v.picklist(shopKinds),
    example: 'woocommerce',
    set: { connect: 'required' },
    listed: 'filter',
  },
  name: {
    ...shown,
    about: 'The name that the business gives the shop.',
    type: word(100),
    example: 'Spring books',
    set: { connect: 'required', change: 'kept' },
  },
  address: {
    ...shown,
    about: 'The address of its interface, to which the paths of requests are added.',
    type: url,
    example: 'https://shop.example',
    set: { connect: 'required', change: 'kept' },
  },
  sends: {
    ...shown,
    about: 'Whether the shop is sent what happens to the parcels of its orders.',
    type: v.boolean(),
    example: true,
    set: { connect: 'defaulted', change: 'kept' },
    listed: 'no',
  },
  credentials: {
    ...shown,
    about: 'The credentials that its kind needs. They are sealed, and never answered.',
    type: v.record(v.pipe(v.string(), v.maxLength(60)), v.pipe(v.string(), v.maxLength(4000))),
    example: { consumer_key: 'ck_0123', consumer_secret: 'cs_0123' },
    set: { connect: 'required', change: 'kept' },
    personal: true,
    listed: 'no',
    shownTo: nobody,
  },
} as const satisfies Fields<keyof typeof moves>

const ofBusiness: AccessRule = {
  belongs: (context, { business_id }) => accountOf(context).business.id === Number(business_id),
  cells: (context) => ({ business_id: accountOf(context).business.id }),
}

/** A shop of a business, whose orders the business delivers. */
export const shopTable = {
  category: 'shop',
  noun: 'shop',
  id: 'shop_id',
  statuses,
  moves,
  fields,
  missing: 'null',
  access: ofBusiness,
  listVersion: 1,
  refusals: { missing: 'shop_not_found', forbidden: 'shop_status_forbids', param: 'shop' },
  indexes: [['business_id', 'status']],
  api: {
    tag: 'Webhooks',
    path: '/api/v1/shops',
    one: 'shop',
    many: 'shops',
    read: { scope: 'webhooks:read', by: staff },
    write: { scope: 'webhooks:write' },
    list: { operation: 'list_shops', summary: 'The shops of the business, newest first.' },
    get: {
      operation: 'get_shop',
      summary: 'One shop of the business, without its credentials.',
      forms: ['test_shop'],
    },
  },
} as const satisfies Entity
