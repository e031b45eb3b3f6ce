import type { Catalogue, Kind } from '../../kernel/catalogue.ts'

const en = {
  route_board_not_found: 'There is no route board {board}.',
  board_status_forbids: 'Route board {board} is {status}, so {command} is not possible.',
  not_on_board: 'Driver {driver} has no place on this board.',
  already_on_board: 'Driver {driver} already has a place on this board.',
  driver_vetoed: 'Driver {driver} was vetoed on this board.',
  driver_withdrew_too_often:
    'Driver {driver} has withdrawn from this board {limit} times. Only staff can assign a seat now.',
  no_seat_to_give: 'No seat is free: staff have assigned all of them.',
  board_full: 'This board has the most drivers allowed: {limit}.',
}

/** A code of route boards. */
export type RouteBoardCode = keyof typeof en

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<RouteBoardCode, 'route-board'> {}
}

const kinds: Readonly<Partial<Record<RouteBoardCode, Kind>>> = {
  route_board_not_found: 'not_found',
  board_status_forbids: 'conflict',
  not_on_board: 'conflict',
  already_on_board: 'conflict',
  driver_vetoed: 'conflict',
  driver_withdrew_too_often: 'conflict',
  no_seat_to_give: 'conflict',
  board_full: 'conflict',
}

type Texts = Readonly<Record<RouteBoardCode, string>>

const fr: Texts = {
  route_board_not_found: 'Il n’y a pas de tableau de tournées {board}.',
  board_status_forbids: 'Le tableau de tournées {board} est à l’état {status} ; {command} n’est pas possible.',
  not_on_board: 'Le chauffeur {driver} n’a pas de place sur ce tableau.',
  already_on_board: 'Le chauffeur {driver} a déjà une place sur ce tableau.',
  driver_vetoed: 'Le chauffeur {driver} a été refusé sur ce tableau.',
  driver_withdrew_too_often:
    'Le chauffeur {driver} s’est retiré {limit} fois de ce tableau ; seul le personnel peut lui donner une place.',
  no_seat_to_give: 'Aucun siège n’est libre, et tous ont été attribués par le personnel.',
  board_full: 'Ce tableau ne prend pas plus de {limit} chauffeurs.',
}

const de: Texts = {
  route_board_not_found: 'Es gibt kein Tourenbrett {board}.',
  board_status_forbids: 'Das Tourenbrett {board} hat den Stand {status}, daher ist {command} nicht möglich.',
  not_on_board: 'Der Fahrer {driver} hat keinen Platz auf diesem Brett.',
  already_on_board: 'Der Fahrer {driver} hat schon einen Platz auf diesem Brett.',
  driver_vetoed: 'Der Fahrer {driver} wurde auf diesem Brett abgelehnt.',
  driver_withdrew_too_often:
    'Der Fahrer {driver} hat sich {limit} Mal von diesem Brett zurückgezogen; einen Platz kann ihm nur noch das Personal geben.',
  no_seat_to_give: 'Kein Platz ist frei, und alle wurden vom Personal vergeben.',
  board_full: 'Dieses Brett nimmt höchstens {limit} Fahrer auf.',
}

const es: Texts = {
  route_board_not_found: 'No existe el tablón de rutas {board}.',
  board_status_forbids: 'El tablón de rutas {board} está en {status}, por lo que {command} no es posible.',
  not_on_board: 'El conductor {driver} no tiene sitio en este tablón.',
  already_on_board: 'El conductor {driver} ya tiene sitio en este tablón.',
  driver_vetoed: 'El conductor {driver} fue vetado en este tablón.',
  driver_withdrew_too_often:
    'El conductor {driver} se ha retirado {limit} veces de este tablón; solo el personal puede darle un puesto.',
  no_seat_to_give: 'No hay ningún puesto libre, y todos los asignó el personal.',
  board_full: 'Este tablón no admite más de {limit} conductores.',
}

const zhHans: Texts = {
  route_board_not_found: '没有路线看板 {board}。',
  board_status_forbids: '路线看板 {board} 的状态为 {status}，无法执行 {command}。',
  not_on_board: '司机 {driver} 在此看板上没有位置。',
  already_on_board: '司机 {driver} 在此看板上已有位置。',
  driver_vetoed: '司机 {driver} 已被此看板否决。',
  driver_withdrew_too_often: '司机 {driver} 已从此看板退出 {limit} 次，只有员工能给他席位。',
  no_seat_to_give: '没有空位，且所有席位均由工作人员分配。',
  board_full: '此看板最多容纳 {limit} 名司机。',
}

const zhHant: Texts = {
  route_board_not_found: '沒有路線看板 {board}。',
  board_status_forbids: '路線看板 {board} 的狀態為 {status}，無法執行 {command}。',
  not_on_board: '司機 {driver} 在此看板上沒有位置。',
  already_on_board: '司機 {driver} 在此看板上已有位置。',
  driver_vetoed: '司機 {driver} 已被此看板否決。',
  driver_withdrew_too_often: '司機 {driver} 已從此看板退出 {limit} 次，只有員工能給他席位。',
  no_seat_to_give: '沒有空位，且所有席位均由工作人員分配。',
  board_full: '此看板最多容納 {limit} 名司機。',
}

/** Route boards. */
export const routeBoardMessages: Catalogue = { kinds, en, fr, de, es, 'zh-Hans': zhHans, 'zh-Hant': zhHant }
