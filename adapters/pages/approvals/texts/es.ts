import { valueTexts } from '../../signed-in/value-texts.ts'
import { countedIn } from '../../texts/language.ts'
import type { ApprovalTexts } from './en.ts'

const counted = countedIn('es')

/** The fixed texts of the pages of approvals in Spanish. */
export const es: ApprovalTexts = {
  title: 'Propuestas',
  lead: 'Lo que han propuesto los agentes y lo que espera una decisión.',
  signIn: 'Para ver lo que proponen los agentes, y decidir.',
  number: (id) => `Cuenta ${id}`,
  you: 'usted',
  filter: { label: 'Propuestas que mostrar', all: 'Todas', mine: 'Solo las mías' },
  count: counted({ other: '{number} en espera' }),
  none: 'Ninguna propuesta espera una decisión.',
  noneMine: 'Ninguna de sus propuestas espera una decisión.',
  zone: (zone) => `Las más recientes primero. Zona horaria: ${zone}.`,
  proposal: (id) => `Propuesta ${id}`,
  back: 'Todas las propuestas',
  by: 'Propuesta por',
  at: 'Propuesta el',
  expires: 'Caduca el',
  expired: 'Caducó el',
  left: {
    days: counted({ one: 'en {number} día', other: 'en {number} días' }),
    hours: counted({ one: 'en {number} hora', other: 'en {number} horas' }),
    minutes: counted({ one: 'en {number} minuto', other: 'en {number} minutos' }),
    soon: 'en menos de un minuto',
  },
  reason: 'Motivo',
  decidedBy: 'Decidida por',
  decidedAt: 'Decidida el',
  risks: { low: 'Riesgo bajo', medium: 'Riesgo medio', high: 'Riesgo alto' },
  statuses: { pending: 'En espera', approved: 'Aprobada', rejected: 'Rechazada', expired: 'Caducada' },
  ...valueTexts.es,
  refusal: {
    title: 'Ahora no se podría ejecutar',
    hint: 'Ahora se rechazaría una aprobación, y la propuesta seguiría en espera.',
  },
  decide: {
    title: 'Su decisión',
    approve: 'Aprobar y ejecutar',
    approveHint: 'Se ejecuta de inmediato, en nombre de la cuenta que lo propuso.',
    reject: 'Rechazar',
    rejectHint: 'No se ejecuta nada.',
    why: 'Motivo (opcional)',
    cannot: 'Su cuenta puede ver esta propuesta; tiene que decidir otra persona.',
  },
  done: {
    approved: 'Aprobada: se ha ejecutado.',
    unsuccessful: 'Aprobada, pero la solicitud ya no era posible. Se registró este resultado; no cambió nada más.',
    rejected: 'Rechazada: no se hizo nada.',
  },
  late: {
    approved: 'Esta propuesta ya estaba aprobada, así que no se hizo nada más.',
    rejected: 'Esta propuesta ya estaba rechazada, así que no se hizo nada.',
    expired: 'Esta propuesta ha caducado, así que no se hizo nada.',
    pending: 'Los datos cambiaron en el mismo momento. No se hizo nada; compruébelos de nuevo y decida.',
  },
  missing: {
    title: 'Propuesta no encontrada',
    lead: 'No existe, o esta cuenta no puede verla.',
  },
  forbidden: {
    title: 'Esta cuenta no puede ver propuestas',
    lead: 'Inicie sesión con otra cuenta, o pregunte a la persona que gestiona las cuentas.',
  },
  arriving: 'Abriendo las propuestas',
}
