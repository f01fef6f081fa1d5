// Shows results and exchanges. Every text is shown as text, whatever is in it.

const element = (name, text, className) => {
    const made = document.createElement(name)
    if (text !== undefined) made.textContent = text
    if (className) made.className = className
    return made
}

/** JSON with a line for each member; other text as it is. */
const formatted = text => {
    try {
        return JSON.stringify(JSON.parse(text), undefined, 2)
    } catch {
        return text
    }
}

function code(label, text, id) {
    const made = element('pre', text)
    // A region that scrolls has to be reachable with the keyboard.
    made.tabIndex = 0
    made.setAttribute('role', 'region')
    made.setAttribute('aria-label', label)
    made.dataset.part = id
    return made
}

const outcomeClass = result => result.isPaid ? 'good' : ['uncertain', 'processing', 'not_sent'].includes(result.outcome) ? 'open' : 'bad'

const withoutPayment = {
    canceled: 'The customer closed the sheet. Nothing was sent.',
    uncertain: 'The relay does not know yet whether the payment was charged.',
}

/** Equal texts that follow each other, once, with their number. */
function counted(texts) {
    const runs = []
    for (const text of texts) {
        if (runs.at(-1)?.[0] === text) runs.at(-1)[1] += 1
        else runs.push([text, 1])
    }
    return runs
}

/** The outcome of a payment, or the error that came in its place. */
export function showResult(result, error) {
    const lines = []
    if (result) {
        lines.push(element('p', result.outcome, `outcome ${result.outcome === 'canceled' ? '' : outcomeClass(result)}`))
        const { response_code: code, response_message: message, fort_id: fortID } = result.payment ?? {}
        const text = [code && `${code} ${message}`, fortID && `fort_id ${fortID}`].filter(Boolean).join(' · ')
        lines.push(element('p', text || withoutPayment[result.outcome] || ''))
    } else {
        lines.push(element('p', error.slug ?? error.code ?? 'error', 'outcome bad'))
        lines.push(element('p', [error.check && `check ${error.check}`, error.detail || error.message].filter(Boolean).join(' · ')))
        for (const { field, detail } of error.errors ?? []) lines.push(element('p', `${field} ${detail}`))
    }
    const attempts = element('ol')
    for (const [attempt, count] of counted(result?.attempts ?? error?.attempts ?? [])) {
        attempts.append(element('li', count > 1 ? `${attempt}, ${count} times` : attempt))
    }
    if (attempts.childElementCount > 0) lines.push(attempts)
    document.querySelector('#result').replaceChildren(...lines)
}

/** What client, relay and FORT said, in the order in which they said it. */
export function showExchange(exchanges) {
    const parts = []
    let steps = 0
    // Each region has a name of its own.
    const show = (label, text, part) => parts.push(code(`${steps}. ${label}`, text, part))
    const step = text => parts.push(element('h3', `${++steps}. ${text}`))
    const sent = exchanges.find(exchange => exchange.with === 'client' && exchange.request)
    if (sent) {
        step('The page sent: POST /v1/payments')
        show('What the page sent', formatted(sent.request), 'page-sent')
    }
    let got
    for (const exchange of exchanges) {
        if (exchange.with === 'client') {
            // A payment that takes long is asked for many times.
            if (exchange.response === got) continue
            got = exchange.response
            step(`The relay answered${exchange.method === 'GET' ? ' when the page asked again' : ''}: ${exchange.status}`)
            show('What the relay answered', formatted(exchange.response), 'page-got')
            continue
        }
        step('The relay sent to FORT')
        show('What the relay sent to FORT', formatted(exchange.request), 'fort-sent')
        if (exchange.signed_text) {
            parts.push(element('h4', `The text that was signed (${exchange.signature_type})`))
            show('The text that was signed', exchange.signed_text, 'signed-text')
        }
        step(exchange.remark ? `FORT's answer: ${exchange.remark}` : 'FORT answered')
        if (exchange.response) show("FORT's answer", formatted(exchange.response), 'fort-answered')
    }
    if (parts.length === 0) parts.push(element('p', 'Nothing was sent to the relay.', 'hint'))
    document.querySelector('#exchange').replaceChildren(...parts)
}
