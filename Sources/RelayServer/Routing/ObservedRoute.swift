public import HTTPListener

extension Route {
    /// The same route, and each of its requests is shown with the response, before that is sent.
    ///
    /// - Parameter observe: must not block.
    public func observed(by observe: @escaping @Sendable (RelayRequest, WholeResponse) -> Void) -> Route {
        switch responder {
        case .task(let respond):
            with(
                .task { request in
                    let response = try await respond(request)
                    observe(request, response)
                    return response
                })
        case .streaming(let respond):
            with(
                .streaming { request in
                    let response = try await respond(request)
                    // A body that is not there yet is not shown.
                    if case .whole(let whole) = response { observe(request, whole) }
                    return response
                })
        case .eventLoop(let respond):
            with(
                .eventLoop { request, handle in
                    respond(
                        request,
                        ResponseHandle(
                            executor: handle.executor,
                            answer: { response in
                                observe(request, response)
                                handle.answer(response)
                            }, end: handle.end))
                })
        }
    }

    private func with(_ responder: Responder) -> Route {
        Route(method, path, access: access, bodyLimit: bodyLimit, responder: responder)
    }
}
