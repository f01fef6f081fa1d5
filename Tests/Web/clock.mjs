// A clock whose time passes at once and in order, and random numbers that are the same for the same seed.

export function random(seed) {
    let state = seed >>> 0
    return () => {
        state = (state + 0x6D2B79F5) >>> 0
        let mixed = Math.imul(state ^ (state >>> 15), state | 1)
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
    }
}

export class Clock {
    #now = 1_000
    #waiting = []

    now = () => this.#now

    sleep = (milliseconds, signal) => new Promise(resolve => {
        if (signal?.aborted) return resolve()
        const wait = { at: this.#now + Math.max(0, milliseconds), resolve }
        this.#waiting.push(wait)
        signal?.addEventListener('abort', () => {
            this.#waiting = this.#waiting.filter(other => other !== wait)
            resolve()
        }, { once: true })
    })

    /** Lets time pass until the promise is settled: its `value` or its `error`. */
    async run(promise) {
        let isSettled = false
        const settled = promise.then(value => ({ value }), error => ({ error })).finally(() => { isSettled = true })
        while (!isSettled) {
            await this.#standStill(() => isSettled)
            if (!isSettled && !this.#pass()) throw new Error('it waits for nothing that will come')
        }
        return settled
    }

    /** Lets all the time pass that anything waits for. */
    async runOut() {
        do await this.#standStill(() => false)
        while (this.#pass())
    }

    /** What needs no time goes on first. Bodies of answers come by the event loop, in a few turns. */
    async #standStill(isEnough) {
        for (let turn = 0; turn < 3 && !isEnough(); turn++) await new Promise(resolve => setImmediate(resolve))
    }

    #pass() {
        this.#waiting.sort((one, other) => one.at - other.at)
        const next = this.#waiting.shift()
        if (!next) return false
        this.#now = Math.max(this.#now, next.at)
        next.resolve()
        return true
    }
}
