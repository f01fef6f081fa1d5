import NIOCore

/// The body of a request that is being answered already, as it comes in. On the event loop of its connection.
final class IncomingBody {
    struct Delegate: NIOAsyncSequenceProducerDelegate {
        let loop: any EventLoop
        let want: @Sendable () -> Void

        func produceMore() { loop.execute(want) }
        func didTerminate() {}
    }

    typealias Pieces = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
    >

    let pieces: Pieces
    private let source: Pieces.Source
    /// Whether no more is read for it until some of it was taken.
    var isFull = false

    /// - Parameter want: called on the event loop when there is room again.
    init(_ loop: any EventLoop, want: @escaping @Sendable () -> Void) {
        let made = Pieces.makeSequence(
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 4), finishOnDeinit: false,
            delegate: Delegate(loop: loop, want: want))
        (pieces, source) = (made.sequence, made.source)
    }

    deinit { source.finish() }

    func receive(_ piece: ByteBuffer) {
        guard piece.readableBytes > 0, case .stopProducing = source.yield(piece) else { return }
        isFull = true
    }

    func end() { source.finish() }

    /// Its end will not come.
    func fail() { source.finish(ChannelError.inputClosed) }
}
