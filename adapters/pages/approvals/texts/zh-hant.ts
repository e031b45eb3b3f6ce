import { valueTexts } from '../../signed-in/value-texts.ts'
import { countedIn } from '../../texts/language.ts'
import type { ApprovalTexts } from './en.ts'

const counted = countedIn('zh-Hant')

/** The fixed texts of the pages of approvals in traditional Chinese. */
export const hant: ApprovalTexts = {
  title: '提議',
  lead: '代理程式提出的操作，以及等待決定的操作。',
  signIn: '登入後可檢視代理程式的提議並作出決定。',
  number: (id) => `帳戶 ${id}`,
  you: '您',
  filter: { label: '誰的提議', all: '全部', mine: '僅我的' },
  count: counted({ other: '{number} 項待決定' }),
  none: '沒有等待決定的提議。',
  noneMine: '您沒有等待決定的提議。',
  zone: (zone) => `最新的在前。時區：${zone}。`,
  proposal: (id) => `提議 ${id}`,
  back: '所有提議',
  by: '提議人',
  at: '提議時間',
  expires: '到期時間',
  expired: '過期時間',
  left: {
    days: counted({ other: '{number} 天後' }),
    hours: counted({ other: '{number} 小時後' }),
    minutes: counted({ other: '{number} 分鐘後' }),
    soon: '一分鐘內',
  },
  reason: '理由',
  decidedBy: '決定人',
  decidedAt: '決定時間',
  risks: { low: '低風險', medium: '中風險', high: '高風險' },
  statuses: { pending: '待決定', approved: '已核准', rejected: '已拒絕', expired: '已過期' },
  ...valueTexts['zh-Hant'],
  refusal: {
    title: '現在無法執行',
    hint: '現在核准會遭拒絕，提議將繼續等待。',
  },
  decide: {
    title: '您的決定',
    approve: '核准並執行',
    approveHint: '將以提議帳戶的名義立即執行。',
    reject: '拒絕',
    rejectHint: '不執行任何操作。',
    why: '理由（選填）',
    cannot: '您的帳戶可以檢視此提議，但須由他人決定。',
  },
  done: {
    approved: '已核准：操作已執行。',
    unsuccessful: '已核准，但該請求已無法執行。此結果已記錄，沒有其他變更。',
    rejected: '已拒絕：未執行任何操作。',
  },
  late: {
    approved: '此提議已獲核准，因此未再執行任何操作。',
    rejected: '此提議已遭拒絕，因此未執行任何操作。',
    expired: '此提議已過期，因此未執行任何操作。',
    pending: '資料在同一時刻發生了變化。未執行任何操作，請重新核對後再決定。',
  },
  missing: {
    title: '找不到提議',
    lead: '它不存在，或此帳戶無權檢視。',
  },
  forbidden: {
    title: '此帳戶無權檢視提議',
    lead: '請使用其他帳戶登入，或聯絡帳戶管理員。',
  },
  arriving: '正在開啟提議',
}
