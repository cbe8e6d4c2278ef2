internal import DeviceHost
internal import Documents

extension PageCarrier {
    /// The answer to a page's request, which the journal of ceremonies also has.
    func journaledAnswer(_ request: PageRequest) async throws -> PageAnswer {
        let ticket = PageTicket()
        let start = device?.host.clock.now()
        let answer = try await PageTicket.$current.withValue(ticket) { try await self.answer(request) }
        if let device, let start, case .error(let error) = answer {
            device.note(error, of: request, ticket, since: start)
        }
        return answer
    }
}

extension ManagedDevice {
    fileprivate func note(_ error: PageError, of request: PageRequest, _ ticket: PageTicket, since start: Duration) {
        if let id = ticket.id { return ceremonies.note(error, of: id) }
        let kind: CeremonyRecord.Kind
        switch request.kind {
        case .create: kind = .create
        case .get: kind = .get
        case .capabilities, .signal: return
        }
        let call = CeremonyJournal.Call(kind, ["origin": .text(request.seenOrigin), "options": request.options])
        let elapsedSeconds = max(.zero, host.clock.now() - start) / .seconds(1)
        ceremonies.add(
            call, of: source, at: start / .seconds(1), elapsedSeconds: elapsedSeconds, acts: [], pageError: error,
            .failure(CeremonyFailure(error)))
    }
}
