internal import CBOR
package import CTAP
package import Conformance
internal import Synchronization
internal import WebAuthn

/// A device's answers to the safe profile of the suite.
package struct DeviceAnswers: Sendable {
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let id: String
        package let error: CTAPDeviceError

        package var description: String { "\(error), at \(id)" }
    }

    struct Exchange: Sendable {
        let message: [UInt8]
        let answer: Result<AuthenticatorAnswer, CTAPDeviceError>
    }

    let infoMembers: CBOR.Map
    /// The answer to getInfo; nil for one that cannot be read.
    let info: AuthenticatorInfo?
    /// The retries left, by the name of their member; nil where the device does not tell them.
    let retries: [String: Int?]
    package let sides: [String: RunComparison.Side]
    let exchanges: [String: [Exchange]]

    package var messages: [[UInt8]] { exchanges.values.joined().map(\.message) }

    /// The answers of each case in hexadecimal: equal for devices of one seed, over every transport.
    package var transcript: [String: String] {
        exchanges.mapValues {
            $0.map { (try? $0.answer.get()).map { Hex.encode($0.bytes) } ?? "none" }.joined(separator: " ")
        }
    }

    /// - Parameters:
    ///   - touching: whether to perform the cases that wait for a touch.
    ///   - onKeepalive: is called when the device waits for the user, and after its answer.
    /// - Throws: ``Failure`` when it disconnects or does not answer, `CancellationError` when the task is cancelled.
    package static func collect(
        from device: any CTAPDevice, touching: Bool = false, now: @escaping @Sendable () -> Duration,
        onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void = { _ in }
    ) async throws -> DeviceAnswers {
        let log = Mutex<[Exchange]>([])
        var settings = AuthenticatorBench.Settings()
        settings.comparison = AuthenticatorBench.Settings.Comparison(now: now, onKeepalive: onKeepalive) { exchange in
            log.withLock { $0.append(exchange) }
        }
        /// The exchanges since the last call; the first one that failed ends the comparison.
        func drain(_ id: String) throws -> [Exchange] {
            let all = log.withLock { all in
                defer { all = [] }
                return all
            }
            for exchange in all {
                guard case .failure(let error) = exchange.answer else { continue }
                // A violation of the protocol is comparable.
                if case .protocolViolation = error { continue }
                throw Failure(id: id, error: error)
            }
            return all
        }
        let bench = try await AuthenticatorBench.compared(device, settings)
        _ = try drain("getInfo")
        // A built-in device keeps every credential, discoverable or not.
        let touching = touching && !bench.has(.plat)
        var permission = RunPermission()
        permission.hasPerson = touching
        var sides: [String: RunComparison.Side] = [:]
        var exchanges: [String: [Exchange]] = [:]
        let run = ConformanceRun(
            AuthenticatorSuite.comparison(touching: touching), on: bench, permission: permission, clock: { .zero })
        _ = try await run.results(
            of: CaseSelection(),
            onResult: { result, description in
                let done = try drain(description.id)
                exchanges[description.id] = done
                sides[description.id] = RunComparison.Side(result, answers: outlines(done))
            }
        ).uninterrupted()
        return DeviceAnswers(
            infoMembers: bench.infoMembers, info: try? AuthenticatorInfo(cbor: .map(bench.infoMembers)),
            retries: try await retries(bench), sides: sides, exchanges: exchanges)
    }

    /// The statuses of the answers to a case.
    func statuses(of id: String) -> Set<CTAPStatus> {
        Set((exchanges[id] ?? []).compactMap { (try? $0.answer.get())?.status })
    }

    /// The forms of the answers, each once in a row.
    private static func outlines(_ exchanges: [Exchange]) -> [String] {
        exchanges.reduce(into: []) { outlines, exchange in
            let outline =
                switch exchange.answer {
                case .success(let answer): answer.outline(to: exchange.message)
                case .failure(let error): "transport error: \(error.detail)"
                }
            if outlines.last != outline { outlines.append(outline) }
        }
    }

    private static func retries(_ bench: AuthenticatorBench) async throws -> [String: Int?] {
        let pin: CBOR.Value? = try await bench.send(.clientPIN, bench.request(.getPINRetries)).map[3]
        let uv: CBOR.Value? = try await bench.send(.clientPIN, bench.request(.getUVRetries)).map[5]
        return ["pinRetries": try? pin?.asUnsigned("pinRetries"), "uvRetries": try? uv?.asUnsigned("uvRetries")]
    }

    /// The median duration of the requests of each command that did not wait for the user; at least three of them.
    var medians: [CTAPCommand: Duration] {
        var durations: [CTAPCommand: [Duration]] = [:]
        for exchange in exchanges.values.joined() {
            guard let command = exchange.message.first.map(CTAPCommand.init), let answer = try? exchange.answer.get(),
                !answer.askedForUser
            else { continue }
            durations[command, default: []].append(answer.duration)
        }
        return durations.filter { $0.value.count > 2 }.mapValues { $0.sorted()[$0.count / 2] }
    }
}
