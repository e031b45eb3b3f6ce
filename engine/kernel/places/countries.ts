import * as v from 'valibot'
import { normalising, type Problem } from '../normalising.ts'
import { folded } from './folded.ts'

/** The codes that ISO 3166-1 has given out (November 2026): alpha-2, and behind it alpha-3. */
const assigned = `
  ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB
  BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR
  BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR
  CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK
  FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS
  GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN
  ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO
  LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
  MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER
  NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
  PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP
  SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF
  TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY
  UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
`

const alpha3 = new Map(
  assigned
    .trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(2), pair.slice(0, 2)]),
)

/**
 * Codes that are part of another country, as carriers and ISO 3166-1 have them: the Canary Islands, Northern Ireland, and the
 * islands of the United States. A place is the same under both.
 */
export const partOf: Readonly<Record<string, readonly [country: string, region: string]>> = {
  ...{ IC: ['ES', 'CN'], XI: ['GB', 'NIR'], AS: ['US', 'AS'], GU: ['US', 'GU'], MP: ['US', 'MP'] },
  ...{ PR: ['US', 'PR'], UM: ['US', 'UM'], VI: ['US', 'VI'] },
}

/** Kosovo has no code of ISO 3166-1; XK is left to users, and it is the one in use. */
const codes: ReadonlySet<string> = new Set([...alpha3.values(), 'XK', ...Object.keys(partOf)])

/** What is meant by codes that are not given out, or not any more. */
const meant: Readonly<Record<string, string>> = {
  ...{ UK: 'GB', EL: 'GR', KV: 'XK', EA: 'ES', FX: 'FR', CP: 'FR', AC: 'SH', TA: 'SH', DG: 'IO', CQ: 'GG' },
  ...{ SF: 'FI', DD: 'DE', TP: 'TL', BU: 'MM', ZR: 'CD' },
}

/** Names in use that are not those of Unicode CLDR. */
const otherNames: Readonly<Record<string, string>> = {
  ...{ 'United States of America': 'US', America: 'US', 'U.S.': 'US', 'Great Britain': 'GB', England: 'GB' },
  ...{ Scotland: 'GB', Wales: 'GB', 'Northern Ireland': 'GB', Holland: 'NL', Korea: 'KR', Türkiye: 'TR' },
  ...{ 'Czech Republic': 'CZ', Macedonia: 'MK', Swaziland: 'SZ', Burma: 'MM', 'Ivory Coast': 'CI' },
}

const languages = 'en ar cs de el es fr hi hu it ja ko nl pl pt ru sk sr-Latn sv tr zh-Hans zh-Hant'.split(' ')

let names: ReadonlyMap<string, string> | undefined

/** Made only when somebody writes a name where a code belongs. */
function countryNames(): ReadonlyMap<string, string> {
  if (names !== undefined) return names
  const found = new Map(Object.entries(otherNames).map(([name, code]) => [folded(name), code]))
  for (const language of languages) {
    const of = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })
    for (const code of codes) found.set(folded(of.of(code) ?? code), code)
  }
  names = found
  return found
}

/** The code of a country in its one form: two capital letters that are given out, or that carriers use; undefined for another text. */
export function countryOf(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  return codes.has(code) ? code : undefined
}

/** The code of the country that somebody means who writes something else: a code like UK or CAN, or a name. */
export function countryMeant(text: string): string | undefined {
  if (text.length > 100) return undefined
  const plain = text.trim().toUpperCase().replaceAll('.', '')
  return meant[plain] ?? alpha3.get(plain) ?? countryOf(plain) ?? countryNames().get(folded(text))
}

/** What is wrong with a text as a country, and what is meant. */
function countryProblem(text: string): Problem {
  const expected = countryMeant(text)
  if (expected !== undefined) return { code: 'country_meant', expected }
  return { code: /^\s*[A-Za-z]{2}\s*$/.test(text) ? 'unknown_country' : 'not_country' }
}

const twoLetters = v.regex(/^[A-Za-z]{2}$/)

/** For JSON Schema alone: what it refuses gets a better answer below. */
const shownPattern: typeof twoLetters = { ...twoLetters, '~run': (dataset) => dataset }

/** A country: ISO 3166-1 alpha-2, in capitals, or a code that carriers use beside it. */
export const country = v.pipe(
  v.string(),
  shownPattern,
  normalising<string>((text, refuse) => {
    const code = countryOf(text)
    if (code === undefined) refuse(text, countryProblem(text))
    return code ?? text
  }),
)
