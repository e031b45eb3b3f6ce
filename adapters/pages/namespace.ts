import { html } from 'hono/html'
import { formerForm, ownForm } from '../../projections/epcis/extension.ts'
import { type OwnMember, ownVocabulary, vocabularyContext } from '../../projections/epcis/vocabulary.ts'
import { frame, type Setting } from './frame.ts'
import { developerTexts } from './texts/developers.ts'
import type { Html } from './words.ts'

/** The JSON-LD context of OTEP's own members, as text. */
export const contextText = JSON.stringify(vocabularyContext(), undefined, 2)

/** The page of OTEP's own members; each has its name as the fragment of its address. */
export function namespacePage(setting: Setting): Html {
  const { namespace } = developerTexts
  const main = html`<main id="content" tabindex="-1" class="message">
<div class="card"><h1>${namespace.title}</h1><p class="lead">${namespace.lead} <code>${ownForm.namespace}</code>, <code>${formerForm.namespace}</code></p>
<p>${namespace.mark} <code>${ownForm.mark}</code></p>
<dl class="members">${ownVocabulary.map((member) => described(member))}</dl></div>
</main>`
  return frame({ title: namespace.title, main, search: false }, setting)
}

function described({ name, iri, meaning, type, isList, within }: OwnMember): Html {
  const { types, list, part } = developerTexts.namespace
  const place = within === undefined ? '' : html` ${part} <a href="#${within}">${within}</a>.`
  return html`<dt id="${name}"><code>${name}</code></dt>
<dd>${meaning} ${isList ? `${list} ${types[type]}` : types[type]}.${place} <code>${iri}</code></dd>`
}
