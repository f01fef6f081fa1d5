// Apple Pay on the web with payrelay: the sheet, the merchant session, the payment, and its outcome.
// How to use it: docs/apple-pay-on-the-web.md. Types: payrelay.d.ts beside this file.

/** What went wrong before, or instead of, an outcome. Its message holds no value of the order or of the customer. */
export class CheckoutError extends Error {
    constructor(code, message, more = {}) {
        super(`${code}: ${message}`, more.cause === undefined ? undefined : { cause: more.cause })
        this.name = 'CheckoutError'
        this.code = code
        this.status = more.status
        this.slug = more.slug
        this.detail = more.detail
        this.errors = more.errors ?? []
        this.check = more.check
        this.retryAfter = more.retryAfter
        this.attempts = more.attempts ?? []
        this.payment = more.payment
    }
}

// --- Amounts: decimal digits as text, never a floating point number.

const withoutMinorUnit = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const withThreeDecimals = 'BHD IQD JOD KWD LYD OMR TND'
const withFourDecimals = 'CLF UYW'
const exponents = new Map([[withoutMinorUnit, 0], [withThreeDecimals, 3], [withFourDecimals, 4]]
    .flatMap(([codes, exponent]) => codes.split(' ').map(code => [code, exponent])))

const digitsOf = amount => {
    const digits = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount
    return typeof digits === 'string' && /^[1-9][0-9]{0,9}$/.test(digits) ? digits : undefined
}

/** An amount in minor units as Apple writes it: 10000 of AED is '100.00', of KWD '10.000'. */
export function amountText(amount, currency) {
    const digits = digitsOf(amount)
    if (!digits || typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) {
        throw new CheckoutError('invalid-order', 'amount is 1 to 9999999999 in minor units, currency is ISO 4217')
    }
    const exponent = exponents.get(currency) ?? 2
    if (exponent === 0) return digits
    const padded = digits.padStart(exponent + 1, '0')
    return `${padded.slice(0, -exponent)}.${padded.slice(-exponent)}`
}

/** Whether Apple's decimal text is the amount: '100', '100.0' and '100.00' are 10000 of AED. */
const isAmount = (text, amount, currency) => {
    const parts = typeof text === 'string' ? /^([0-9]{1,12})(?:\.([0-9]{1,6}))?$/.exec(text) : undefined
    if (!parts) return false
    const [whole, fraction = ''] = amountText(amount, currency).split('.')
    return parts[1].replace(/^0+(?=.)/, '') === whole && (parts[2] ?? '').replace(/0+$/, '') === fraction.replace(/0+$/, '')
}

// --- Orders

// '.' and '..' are references too, but no browser can ask for them: in a URL's path they are steps, encoded or not.
const isReference = text => typeof text === 'string' && /^[A-Za-z0-9._-]{1,40}$/.test(text) && !/^\.{1,2}$/.test(text)

const contactFields = {
    customer_email: { required: 'email', contactField: 'emailAddress', of: contact => contact.emailAddress },
    customer_name: {
        required: 'name', contactField: 'name',
        of: contact => [contact.givenName, contact.familyName].filter(part => part).join(' '),
    },
    phone_number: { required: 'phone', contactField: 'phoneNumber', of: contact => contact.phoneNumber },
}

function check(order, paymentRequest, fromSheet) {
    const wrong = detail => { throw new CheckoutError('invalid-order', detail) }
    if (!order || typeof order !== 'object') wrong('the order is no object')
    if (!isReference(order.merchant_reference)) wrong('merchant_reference is 1 to 40 of A-Z a-z 0-9 . _ - and not . or ..')
    if ('token' in order) wrong('the token comes from the sheet')
    amountText(order.amount, order.currency)
    if (!paymentRequest || typeof paymentRequest !== 'object') wrong('the payment request is no object')
    for (const [field, contact] of Object.entries(fromSheet)) {
        const list = contact === 'billingContact' ? 'requiredBillingContactFields' : 'requiredShippingContactFields'
        if (order[field] !== undefined) wrong(`${field} comes from the sheet, so the order must not have it`)
        if (!paymentRequest[list]?.includes(contactFields[field].required)) {
            wrong(`the payment request's ${list} must have '${contactFields[field].required}': ${field} comes from there`)
        }
    }
    const { total, currencyCode } = paymentRequest
    if (currencyCode !== order.currency || total?.type === 'pending' || !isAmount(total?.amount, order.amount, order.currency)) {
        throw new CheckoutError('amount-mismatch', "total.amount, a decimal text, and currencyCode are not the order's amount and currency")
    }
}

// --- Rules: what an answer means, and what to do next. They are pure: no clock, no network.

const paidOutcomes = new Set(['authorized', 'captured', 'partially_captured', 'partially_refunded'])
const openOutcomes = new Set(['processing', 'uncertain', 'not_sent'])
const finalOutcomes = new Set([...paidOutcomes, 'declined', 'voided', 'refunded', 'not_processed'])

/** Refusals after which another order may be charged: that of the token, or of the idempotency key. */
const chargedElsewhere = new Set(['token-used', 'idempotency-key-taken'])

const problemPrefix = 'urn:payrelay:problem:'

/** The problem of an answer of this API; undefined where it is none. */
function problemOf({ status, body }) {
    if (typeof body?.type !== 'string' || !/^[a-z-]{1,64}$/.test(body.type.slice(problemPrefix.length))) return undefined
    if (!body.type.startsWith(problemPrefix) || body.status !== status) return undefined
    const errors = Array.isArray(body.errors) ? body.errors : []
    return {
        status, slug: body.type.slice(problemPrefix.length),
        detail: typeof body.detail === 'string' ? body.detail : '',
        errors: errors.filter(error => typeof error?.field === 'string')
            .map(({ field, detail }) => ({ field, detail: String(detail) })),
        check: typeof body.check === 'string' ? body.check : undefined,
    }
}

/** Whether it is a payment under the order's reference. An outcome of a later version is uncertain here (docs/versions.md). */
const isUnderReference = (order, body) => body?.merchant_reference === order.merchant_reference
    && ['outcome', 'command', 'currency'].every(name => typeof body[name] === 'string') && digitsOf(body.amount) !== undefined

/** Whether a payment under the order's reference is the order's, as far as the order is known. */
const isPaymentOf = (order, body) => (order.amount === undefined || digitsOf(body.amount) === digitsOf(order.amount))
    && ['command', 'currency'].every(name => order[name] === undefined || body[name] === order[name])

export const rules = Object.freeze({
    /**
     * What an answer says: `settled`, `open`, `other` (a payment under the order's reference, of another amount, currency or command),
     * `inFlight`, `busy` (nothing was done), `refused`, or `unknown`.
     *
     * @param answer undefined where none came.
     */
    meaning(answer, order) {
        if (!answer) return { is: 'unknown' }
        const { status, body, retryAfter } = answer
        if (status === 200 || status === 202) {
            if (!isUnderReference(order, body)) return { is: 'unknown', retryAfter }
            if (!isPaymentOf(order, body)) return { is: 'other', payment: body, retryAfter }
            // 202 alone does not mean that it is open: an operation on a captured payment may be.
            return { is: finalOutcomes.has(body.outcome) ? 'settled' : 'open', payment: body, retryAfter }
        }
        const problem = problemOf(answer)
        if (!problem) return { is: 'unknown', retryAfter }
        if (status === 409 && problem.slug === 'in-flight') return { is: 'inFlight', retryAfter }
        if (status === 408 || status === 429 || status === 503) return { is: 'busy', problem, retryAfter }
        return status >= 400 && status < 500 ? { is: 'refused', problem } : { is: 'unknown', retryAfter }
    },

    /**
     * Before the first attempt. `mayHaveArrived`: a request without an answer, or with one that proves nothing. `seen`: whose open payment
     * the relay has shown under the reference, `own` or `other`.
     */
    start: Object.freeze({ isReading: false, mayHaveArrived: false, seen: undefined, refusal: undefined, busy: undefined }),

    /**
     * What to do after an attempt: `send` the same bytes again, `read` the payment, or end with an `outcome` or an `error`.
     * `atOnce` where no pause is needed.
     */
    next(state, meaning) {
        return state.isReading ? afterReading(state, meaning) : afterSending(state, meaning)
    },

    /** How it ends where no time is left: not known, unless every request was answered with "nothing was done". */
    atDeadline(state) {
        if (state.isReading || state.mayHaveArrived) return { end: 'outcome', outcome: 'uncertain' }
        return { end: 'error', code: 'nothing-sent', problem: state.busy?.problem, retryAfter: state.busy?.retryAfter }
    },

    /** Milliseconds until the next attempt: what the answer asks for, else exponential backoff; both with jitter. */
    pause(attempts, retryAfter, random) {
        if (retryAfter !== undefined) return Math.max(retryAfter * 1000, 250) + Math.floor(random * 250)
        const limit = Math.min(4000, 250 * 2 ** Math.min(attempts, 8))
        return Math.floor(limit / 2 + random * limit / 2)
    },

    isPaid: outcome => paidOutcomes.has(outcome),
})

function afterSending(state, meaning) {
    switch (meaning.is) {
    case 'settled': return { end: 'outcome', outcome: meaning.payment.outcome, payment: meaning.payment }
    case 'open': return { do: 'read', state: { ...state, isReading: true, mayHaveArrived: true, seen: 'own' } }
    case 'busy': return { do: 'send', state: { ...state, busy: meaning } }
    case 'refused':
        // It says nothing about an earlier request that may have arrived. A reference that is taken is an earlier request.
        if (!state.mayHaveArrived && meaning.problem.slug !== 'reference-taken') {
            // An error says that nothing was charged.
            if (chargedElsewhere.has(meaning.problem.slug)) return { end: 'outcome', outcome: 'uncertain' }
            return { end: 'error', code: 'refused', problem: meaning.problem }
        }
        return { do: 'read', atOnce: true, state: { ...state, isReading: true, refusal: meaning.problem } }
    default: return { do: 'send', state: { ...state, mayHaveArrived: true } }
    }
}

function afterReading(state, meaning) {
    const again = { do: 'read', state }
    const stillOpen = whose => ({ do: 'read', state: { ...state, seen: whose } })
    const isTaken = state.refusal?.slug === 'reference-taken'
    // By none of these requests: what is known of it then decides.
    const isEarlier = isTaken && !state.mayHaveArrived
    const { payment } = meaning
    const refused = { end: 'error', code: 'refused', problem: state.refusal, payment }
    switch (meaning.is) {
    case 'settled':
        if (isEarlier && !paidOutcomes.has(payment.outcome)) return refused
        return { end: 'outcome', outcome: payment.outcome, payment }
    case 'open': return stillOpen('own')
    case 'other':
        // Only where the relay has said that the reference is taken, and has not shown a payment of this order.
        if (!isTaken || state.seen === 'own') return again
        if (!finalOutcomes.has(payment.outcome)) return stillOpen('other')
        // It is not what the customer authorized now, and an error says that nothing was charged.
        return paidOutcomes.has(payment.outcome) ? { end: 'outcome', outcome: 'uncertain', payment } : refused
    case 'refused':
        if (meaning.problem.slug !== 'no-such-payment') return { end: 'outcome', outcome: 'uncertain' }
        // The reference is another client's, or of a payment made elsewhere, which no order token sees: it may be charged.
        return isEarlier && !state.seen ? { end: 'outcome', outcome: 'uncertain' } : again
    default: return again
    }
}

// --- Requests

const answerLimit = 262144

/** The answer's body as JSON; undefined where it is none, or too long. */
async function json(response) {
    if (!/^application\/(problem\+)?json\b/i.test(response.headers.get('content-type') ?? '') || !response.body) return undefined
    const reader = response.body.getReader()
    const decoder = new TextDecoder('utf-8', { fatal: true })
    let text = ''
    for (let length = 0;;) {
        const { done, value } = await reader.read()
        if (done) break
        length += value.byteLength
        if (length > answerLimit) {
            reader.cancel().catch(() => {})
            return undefined
        }
        text += decoder.decode(value, { stream: true })
    }
    try {
        return JSON.parse(text + decoder.decode())
    } catch {
        return undefined
    }
}

const abortError = signal => signal.reason ?? new DOMException('The payment was aborted.', 'AbortError')

const throwIfAborted = signal => {
    if (signal?.aborted) throw abortError(signal)
}

const sleep = (milliseconds, signal) => new Promise(resolve => {
    if (signal?.aborted) return resolve()
    // A shop may use one signal for all its payments: no listener stays on it.
    const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal?.addEventListener('abort', end)
})

/** What an attempt was, for the integrator to read: no value of the order, no header, no body. */
const trace = (what, answer, meaning) => {
    if (!answer) return `${what}: no answer`
    const outcome = meaning.payment?.outcome
    const isKnown = openOutcomes.has(outcome) || finalOutcomes.has(outcome)
    const word = (outcome !== undefined && !isKnown ? 'an outcome of a later version' : outcome) ?? meaning.problem?.slug ?? (meaning.is === 'inFlight' ? 'in-flight' : "not the relay's")
    return `${what}: ${answer.status} ${word}${meaning.is === 'other' ? ', of another order' : ''}`
}

// In milliseconds. Apple's sheet waits about 30 seconds, for the merchant session as for the payment.
const attemptLimit = 10_000
const sessionLimit = 20_000
const shortestAttempt = 250
const tokenAge = 120_000
// Of Apple Pay JS: the first that knows mada. Errors on fields came with version 3.
const standardVersion = 5

const openOutcome = meaning => meaning.payment?.outcome === 'not_sent' ? 'not_sent' : 'uncertain'

const resultOf = (order, outcome, attempts, payment) => ({
    outcome, isPaid: rules.isPaid(outcome), merchant_reference: order.merchant_reference, payment, attempts, sheetWasClosed: false,
})

function refused(code, problem, attempts, answer, payment) {
    const why = problem?.slug ?? (answer?.status ? `status ${answer.status}, which is not the relay's` : 'no answer')
    return new CheckoutError(code, why, { ...problem, status: answer?.status ?? problem?.status, retryAfter: answer?.retryAfter, attempts, payment })
}

function conclude(order, end, attempts) {
    if (end.end === 'outcome') return resultOf(order, end.outcome, attempts, end.payment)
    throw refused(end.code, end.problem, attempts, { status: end.problem?.status, retryAfter: end.retryAfter }, end.payment)
}

/** An error page of the backend is no token. */
function checkedToken(token, source) {
    const text = typeof token === 'string' ? token.trim() : ''
    if (!/^[A-Za-z0-9._~+/-]{1,8192}=*$/.test(text)) throw new CheckoutError('order-token', `${source} gave no token`)
    return text
}

const offline = () => new CheckoutError('offline', 'the browser has no network')

/** What is asked of the relay and of the merchant's backend, each time within its time. */
class Relay {
    constructor(options, environment) {
        this.options = options
        this.environment = environment
    }

    /** The order's token, as the merchant's backend issues it. */
    async token(order) {
        let token
        try {
            token = await this.options.orderToken(order)
        } catch (error) {
            throw new CheckoutError('order-token', 'orderToken failed', { cause: error })
        }
        return checkedToken(token, 'orderToken')
    }

    /** What the merchant's backend makes of a change in the sheet; without an order where it refuses it. */
    async update(selection, order, timeout, signal) {
        const { change } = this.options
        const answer = (async () => change(selection, order))().catch(error => {
            throw new CheckoutError('order-token', 'change failed', { cause: error })
        })
        const update = await this.within(timeout, answer, signal)
        if (!update || typeof update !== 'object') throw new CheckoutError('order-token', 'change gave no update in time')
        const { amount, orderToken, lineItems = [], shippingMethods, errors = [] } = update
        if (amount === undefined && errors.length > 0) return { errors }
        const text = amountText(amount, order.currency)
        return {
            order: Object.freeze({ ...order, amount }), text, token: checkedToken(orderToken, 'change'), lineItems, shippingMethods, errors,
        }
    }

    async tokenInTime(promise, timeout, signal) {
        const token = await this.within(timeout, promise, signal)
        throwIfAborted(signal)
        if (!token) throw new CheckoutError('order-token', 'orderToken gave no token in time')
        return token
    }

    /** The merchant session, from the relay or from the option `merchantSession`. */
    async merchantSession(token, validationURL, signal) {
        const { merchantSession, domain } = this.options
        if (merchantSession) {
            try {
                return await merchantSession(validationURL)
            } catch (error) {
                throw new CheckoutError('merchant-validation', 'merchantSession failed', { cause: error })
            }
        }
        const { now, random } = this.environment
        const deadline = now() + sessionLimit
        const bearer = await this.tokenInTime(token, sessionLimit, signal)
        const body = JSON.stringify({ validation_url: validationURL, domain })
        const attempts = []
        for (let count = 0;; count++) {
            const answer = await this.#request('POST', '/v1/apple-pay/sessions', bearer, body, deadline - now(), signal)
            if (answer?.status === 200 && answer.body && typeof answer.body === 'object') return answer.body
            const problem = answer && problemOf(answer)
            attempts.push(trace('POST sessions', answer, { problem }))
            const pause = rules.pause(count, answer?.retryAfter, random())
            const { status } = answer ?? {}
            const isTransient = !answer || status === 408 || status === 429 || status >= 500 && problem?.slug !== 'apple-refused'
            if (!isTransient || signal.aborted || now() + pause + shortestAttempt > deadline) {
                throw refused('merchant-validation', problem, attempts, answer)
            }
            await this.environment.sleep(pause, signal)
        }
    }

    /** Sends the order's bytes until there is an outcome, or none can be had in time. Throws what is no outcome. */
    async settle(order, body, token, deadline, signal) {
        const { now, random, sleep } = this.environment
        const attempts = []
        let state = rules.start
        for (let count = 0;;) {
            const left = deadline - now()
            if (left < shortestAttempt) return conclude(order, rules.atDeadline(state), attempts)
            const meaning = state.isReading
                ? await this.look(order, token, attempts, left, signal)
                : await this.#send(order, body, token, attempts, left, signal)
            const step = rules.next(state, meaning)
            if (step.end) return conclude(order, step, attempts)
            count = step.state.isReading === state.isReading ? count + 1 : 0
            state = step.state
            const pause = step.atOnce ? 0 : rules.pause(count, meaning.retryAfter, random())
            if (now() + pause > deadline - shortestAttempt) return conclude(order, rules.atDeadline(state), attempts)
            if (!signal?.aborted && pause > 0) await sleep(pause, signal)
            if (signal?.aborted) {
                const end = rules.atDeadline(state)
                if (end.end === 'error') throw abortError(signal)
                return conclude(order, end, attempts)
            }
        }
    }

    async #send(order, body, token, attempts, left, signal) {
        const answer = await this.#request('POST', '/v1/payments', token, body, Math.min(attemptLimit, left), signal)
        const meaning = rules.meaning(answer, order)
        attempts.push(trace('POST', answer, meaning))
        return meaning
    }

    async look(order, token, attempts, left, signal) {
        const path = `/v1/payments/${encodeURIComponent(order.merchant_reference)}`
        const answer = await this.#request('GET', path, token, undefined, Math.min(attemptLimit, left), signal)
        const meaning = rules.meaning(answer, order)
        attempts.push(trace('GET', answer, meaning))
        return meaning
    }

    /**
     * One request to the page's origin. The token goes nowhere else: no redirect is followed.
     *
     * @returns status, JSON and Retry-After; undefined where no whole answer came in time.
     */
    async #request(method, path, token, body, timeout, signal) {
        const { fetch } = this.environment
        const stop = new AbortController()
        const stopToo = () => stop.abort()
        if (signal?.aborted) return undefined
        signal?.addEventListener('abort', stopToo, { once: true })
        const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
        if (body !== undefined) headers['Content-Type'] = 'application/json'
        const answer = (async () => {
            const response = await fetch(path, {
                method, headers, body, signal: stop.signal, mode: 'same-origin', credentials: 'omit', redirect: 'error',
                // The relay takes a page of another origin by its Origin, which is null without any referrer.
                cache: 'no-store', referrerPolicy: 'strict-origin',
            })
            const seconds = /^[0-9]{1,6}$/.exec(response.headers.get('retry-after') ?? '')
            return { status: response.status, body: await json(response), retryAfter: seconds ? Number(seconds[0]) : undefined }
        })().catch(() => undefined)
        try {
            return await this.within(timeout, answer, signal)
        } finally {
            stop.abort()
            signal?.removeEventListener('abort', stopToo)
        }
    }

    /** The promise's value; undefined where it takes longer, or is no longer wanted. */
    async within(timeout, promise, signal) {
        if (signal?.aborted) return undefined
        const awake = new AbortController()
        const wake = () => awake.abort()
        signal?.addEventListener('abort', wake, { once: true })
        try {
            return await Promise.race([promise, this.environment.sleep(timeout, awake.signal).then(() => undefined)])
        } finally {
            awake.abort()
            signal?.removeEventListener('abort', wake)
        }
    }
}

// --- The checkout

const texts = {
    en: {
        emailAddress: 'Please check the email address.',
        name: 'Please check the name.',
        phoneNumber: 'Please check the phone number.',
    },
    ar: {
        emailAddress: 'يُرجى التحقق من البريد الإلكتروني.',
        name: 'يُرجى التحقق من الاسم.',
        phoneNumber: 'يُرجى التحقق من رقم الهاتف.',
    },
}

const optionNames = new Set([
    'orderToken', 'merchantSession', 'domain', 'fromSheet', 'texts', 'version', 'deadline', 'ready', 'click', 'change', 'environment',
])

/** What the customer chooses in the sheet: Apple's event for it, and what completes it. */
const choices = {
    shippingContact: ['onshippingcontactselected', 'completeShippingContactSelection'],
    shippingMethod: ['onshippingmethodselected', 'completeShippingMethodSelection'],
    couponCode: ['oncouponcodechanged', 'completeCouponCodeChange'],
    paymentMethod: ['onpaymentmethodselected', 'completePaymentMethodSelection'],
}

export class ApplePayCheckout {
    #relay
    #isPaying = false

    constructor(options) {
        const unknown = Object.keys(options ?? {}).find(name => !optionNames.has(name))
        if (unknown) throw new TypeError(`${unknown} is no option of ApplePayCheckout`)
        if (typeof options?.orderToken !== 'function') throw new TypeError('orderToken must be a function')
        const hook = ['ready', 'click', 'change'].find(name => !['function', 'undefined'].includes(typeof options[name]))
        if (hook) throw new TypeError(`${hook} must be a function`)
        const { deadline = 25_000, version = standardVersion, fromSheet = {} } = options
        if (!(deadline >= 1_000 && deadline <= 28_000)) throw new TypeError('deadline is 1000 to 28000 milliseconds')
        if (!(version >= 3)) throw new TypeError('version is 3 or later')
        for (const [field, contact] of Object.entries(fromSheet)) {
            const isContact = contact === 'shippingContact' || contact === 'billingContact' && field === 'customer_name'
            if (!Object.keys(contactFields).includes(field) || !isContact) throw new TypeError(`fromSheet.${field} is not possible`)
        }
        const environment = {
            fetch: (...request) => globalThis.fetch(...request), now: () => performance.now(), random: Math.random, sleep,
            get ApplePaySession() { return globalThis.ApplePaySession },
            get ApplePayError() { return globalThis.ApplePayError },
            isOnline: () => globalThis.navigator?.onLine !== false,
            ...options.environment,
        }
        this.#relay = new Relay({ ...options, deadline, version, fromSheet }, environment)
        const { ready } = options
        if (ready) queueMicrotask(() => ready(ApplePayCheckout.isAvailable({ version, ApplePaySession: environment.ApplePaySession })))
    }

    /** Whether this browser, on this page, can show the sheet. */
    static isAvailable({ version = standardVersion, ApplePaySession = globalThis.ApplePaySession } = {}) {
        try {
            return Boolean(ApplePaySession?.supportsVersion(version) && ApplePaySession.canMakePayments())
        } catch {
            // Apple throws on pages without TLS.
            return false
        }
    }

    /** Opens the sheet, at once, and pays. It has to be called within the customer's click, before anything is awaited. */
    pay(order, paymentRequest, { signal } = {}) {
        const { options: { version, fromSheet, click }, environment: { ApplePaySession } } = this.#relay
        try {
            throwIfAborted(signal)
            if (this.#isPaying) throw new CheckoutError('busy', 'a payment of this checkout is not finished')
            check(order, paymentRequest, fromSheet)
            if (!ApplePayCheckout.isAvailable({ version, ApplePaySession })) {
                throw new CheckoutError('unavailable', 'this browser or page cannot use Apple Pay')
            }
            if (!this.#relay.environment.isOnline()) throw offline()
            // A copy: the page may change its own while the sheet is open.
            const copy = Object.freeze({ ...order })
            click?.(copy)
            const payment = new SheetPayment(this.#relay, copy, paymentRequest, signal)
            this.#isPaying = true
            return payment.result.finally(() => { this.#isPaying = false })
        } catch (error) {
            return Promise.reject(error)
        }
    }

    /** What became of an order, after a reload for example. It waits for as long as the outcome is open. */
    async outcome(merchantReference, { within = 25_000, signal } = {}) {
        if (!isReference(merchantReference)) throw new CheckoutError('invalid-order', 'this is no merchant_reference')
        throwIfAborted(signal)
        const { now, random, sleep } = this.#relay.environment
        const order = Object.freeze({ merchant_reference: merchantReference })
        const deadline = now() + within
        const token = await this.#relay.tokenInTime(this.#relay.token(order), attemptLimit, signal)
        const attempts = []
        let isSeen = false
        for (let count = 0;; count++) {
            const left = count === 0 ? attemptLimit : deadline - now()
            const meaning = await this.#relay.look(order, token, attempts, left, signal)
            throwIfAborted(signal)
            if (meaning.is === 'settled') return resultOf(order, meaning.payment.outcome, attempts, meaning.payment)
            const pause = rules.pause(count, meaning.retryAfter, random())
            const isLast = now() + pause + shortestAttempt > deadline
            if (meaning.is === 'refused' && meaning.problem.slug !== 'no-such-payment') {
                throw refused('unreadable', meaning.problem, attempts)
            }
            isSeen ||= meaning.is === 'open'
            // A page that was left in the moment of paying may have sent a request that is about to arrive. A payment that was there is
            // not missing: another instance answers, or its claim was lost.
            if (meaning.is === 'refused' && !isSeen && (isLast || count >= 2)) throw refused('no-such-payment', meaning.problem, attempts)
            if (isLast) return resultOf(order, openOutcome(meaning), attempts, meaning.payment)
            await sleep(pause, signal)
            throwIfAborted(signal)
        }
    }
}

/** One sheet, from begin() to its end, and the payment that the customer authorizes in it. */
class SheetPayment {
    #relay
    #order
    #session
    #signal
    #token
    #tokenSince
    #state = 'open'
    #isShown = true
    #isValidated = false
    #refusal
    // What the sheet shows, what the customer has chosen, and the changes that wait for the page's answer: one after another, so
    // that its backend keeps the last.
    #shown
    #selection = {}
    #changes = []
    #isRefused = false
    #stop = new AbortController()
    #resolve
    #reject

    constructor(relay, order, paymentRequest, signal) {
        const { environment, options } = relay
        this.#relay = relay
        this.#order = order
        this.#signal = signal
        const { total, lineItems = [], shippingMethods } = paymentRequest
        this.#shown = { newTotal: { ...total }, newLineItems: [...lineItems], newShippingMethods: shippingMethods }
        this.result = new Promise((resolve, reject) => {
            this.#resolve = resolve
            this.#reject = reject
        })
        try {
            this.#session = new environment.ApplePaySession(options.version, paymentRequest)
            this.#session.onvalidatemerchant = event => this.#validate(event.validationURL)
            this.#session.onpaymentauthorized = event => this.#authorized(event.payment)
            this.#session.oncancel = () => this.#canceled()
            for (const [choice, [event]] of options.change ? Object.entries(choices) : []) {
                this.#session[event] = chosen => this.#changed(choice, chosen[choice])
            }
            this.#session.begin()
        } catch (error) {
            throw new CheckoutError('sheet', 'Apple Pay did not open the sheet', { cause: error })
        }
        signal?.addEventListener('abort', () => this.#fail(abortError(signal)), { once: true, signal: this.#stop.signal })
        this.#askForToken()
    }

    #askForToken() {
        this.#tokenSince = this.#relay.environment.now()
        this.#token = this.#relay.token(this.#order)
        this.#token.catch(error => this.#fail(error))
    }

    async #validate(validationURL) {
        try {
            const session = await this.#relay.merchantSession(this.#token, validationURL, this.#stop.signal)
            if (this.#state !== 'open') return
            this.#isValidated = true
            this.#session.completeMerchantValidation(session)
        } catch (error) {
            const isOwn = error instanceof CheckoutError
            this.#fail(isOwn ? error : new CheckoutError('merchant-validation', 'Apple Pay refused the session', { cause: error }))
        }
    }

    #changed(choice, value) {
        if (this.#state !== 'open') return
        this.#selection = { ...this.#selection, [choice]: value }
        this.#changes.push({ choice, deadline: this.#relay.environment.now() + this.#relay.options.deadline })
        if (this.#changes.length === 1) this.#update().catch(error => this.#fail(error))
    }

    /** Asks the page about each change. If it fails, or is late, the sheet goes: what it shows was not agreed to. */
    async #update() {
        const { environment: { now } } = this.#relay
        while (this.#state === 'open' && this.#changes.length > 0) {
            const [{ choice, deadline }] = this.#changes
            const selection = { ...this.#selection, changed: choice }
            const update = await this.#relay.update(selection, this.#order, deadline - now(), this.#stop.signal)
            if (this.#state === 'open') this.#show(choice, update)
        }
    }

    /** The order has the amount that the sheet shows. */
    #show(choice, { order, text, token, lineItems, shippingMethods, errors }) {
        this.#isRefused = !order
        if (order) {
            const { newTotal, newShippingMethods } = this.#shown
            this.#shown = {
                newTotal: { ...newTotal, amount: text }, newLineItems: lineItems, newShippingMethods: shippingMethods ?? newShippingMethods,
            }
            this.#order = order
            this.#token = Promise.resolve(token)
            this.#tokenSince = this.#relay.environment.now()
            const selected = this.#selection.shippingMethod?.identifier
            if (shippingMethods && !shippingMethods.some(method => method.identifier === selected)) delete this.#selection.shippingMethod
        }
        const { newShippingMethods, ...shown } = this.#shown
        // Elsewhere a list would select its first again.
        const methods = choice === 'shippingContact' ? newShippingMethods : shippingMethods
        try {
            this.#session[choices[choice][1]]({ ...shown, errors, ...methods && { newShippingMethods: methods } })
            this.#changes.shift()
        } catch (error) {
            throw new CheckoutError('sheet', 'Apple Pay refused the update', { cause: error })
        }
    }

    /** Before the customer authorized: the sheet goes, and nothing was sent. */
    #fail(error) {
        if (this.#state !== 'open') return
        this.#end()
        try {
            this.#session.abort()
        } catch {
            // It is gone already.
        }
        this.#reject(error)
    }

    #canceled() {
        this.#isShown = false
        // After the authorization it is Apple's deadline, or the customer who waits no longer: the payment goes on.
        if (this.#state !== 'open') return
        this.#end()
        if (this.#refusal) return this.#reject(this.#refusal)
        // Apple closes a sheet that cannot reach it: that is not the customer's.
        if (!this.#isValidated && !this.#relay.environment.isOnline()) return this.#reject(offline())
        this.#resolve(resultOf(this.#order, 'canceled', [], undefined))
    }

    #end() {
        this.#state = 'ended'
        this.#stop.abort()
    }

    async #authorized(payment) {
        if (this.#state === 'authorized') return
        // The sheet of an ended payment is closing: what is authorized in it is not sent.
        if (this.#state === 'ended') return this.#complete(false)
        if (this.#changes.length > 0 || this.#isRefused) {
            this.#end()
            this.#complete(false)
            return this.#reject(new CheckoutError('order-token', 'the page has not agreed to what was authorized'))
        }
        this.#state = 'authorized'
        const { environment, options } = this.#relay
        const deadline = environment.now() + options.deadline
        try {
            const contact = this.#contact(payment)
            const missing = Object.keys(contact).filter(field => !contact[field])
            if (missing.length > 0) {
                throw new CheckoutError('refused', 'a contact field of the sheet is empty', {
                    slug: 'invalid-fields', errors: missing.map(field => ({ field, detail: 'is empty' })),
                })
            }
            // Made once: every attempt sends these bytes.
            const body = JSON.stringify({ ...this.#order, ...contact, token: payment.token })
            if (environment.now() - this.#tokenSince > tokenAge) this.#askForToken()
            const token = await this.#relay.tokenInTime(this.#token, options.deadline, this.#signal)
            const settled = await this.#relay.settle(this.#order, body, token, deadline, this.#signal)
            const isShown = this.#isShown
            this.#end()
            // Without errors, which would leave the sheet open for another try, whatever their code is.
            this.#complete(settled.isPaid)
            this.#resolve({ ...settled, sheetWasClosed: !isShown })
        } catch (error) {
            const corrections = this.#corrections(error)
            if (corrections.length > 0) {
                // Nothing was charged, and the sheet stays open: the customer may correct and authorize again.
                this.#refusal = error
                this.#state = 'open'
                if (this.#complete(false, corrections)) return
            }
            this.#end()
            this.#complete(false)
            this.#reject(error)
        }
    }

    /** The order's fields that come from the sheet. */
    #contact(payment) {
        return Object.fromEntries(Object.entries(this.#relay.options.fromSheet).map(([field, contact]) =>
            [field, contactFields[field].of(payment[contact] ?? {})]))
    }

    /** What the customer can correct in the sheet, which is open then; empty where that is not all of what is wrong. */
    #corrections(error) {
        const { fromSheet } = this.#relay.options
        const isCorrectable = this.#isShown && this.#relay.environment.ApplePayError && error instanceof CheckoutError
            && error.slug === 'invalid-fields' && error.errors.length > 0
            && error.errors.every(({ field }) => Object.keys(fromSheet).includes(field)) && !this.#signal?.aborted
        if (!isCorrectable) return []
        return error.errors.map(({ field }) => {
            const { contactField } = contactFields[field]
            return [fromSheet[field] === 'billingContact' ? 'billingContactInvalid' : 'shippingContactInvalid', contactField, this.#text(contactField)]
        })
    }

    #text(name) {
        return this.#relay.options.texts?.[name] ?? (this.#order.language === 'ar' ? texts.ar : texts.en)[name]
    }

    /** @returns whether the sheet took it. */
    #complete(isSuccess, errors = []) {
        if (!this.#isShown) return false
        const { ApplePaySession, ApplePayError } = this.#relay.environment
        const status = isSuccess ? ApplePaySession.STATUS_SUCCESS ?? 0 : ApplePaySession.STATUS_FAILURE ?? 1
        try {
            this.#session.completePayment({
                status, errors: ApplePayError ? errors.map(error => new ApplePayError(...error)) : [],
            })
            return true
        } catch {
            // The sheet is gone: the page shows the outcome.
            return false
        }
    }
}
