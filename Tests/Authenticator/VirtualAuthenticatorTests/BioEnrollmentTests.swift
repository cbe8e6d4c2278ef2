import Biometrics
import CBOR
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Enrolling fingerprints")
struct BioEnrollmentTests {
    static let begin = BioEnrollmentRequest.of(.enrollBegin)
    static let list = BioEnrollmentRequest.of(.enumerateEnrollments)
    static let noSuchEnrolment = Told(.invalidParameter, "bioEnrollment.noSuchEnrolment")

    static func next(_ id: [UInt8]?) -> BioEnrollmentRequest {
        .of(.enrollCaptureNextSample) { $0.templateID = id }
    }

    static func rename(_ id: [UInt8], _ name: String) -> BioEnrollmentRequest {
        .of(.setFriendlyName) {
            $0.templateID = id
            $0.friendlyName = name
        }
    }

    /// Gives good samples until the finger is enrolled.
    static func enrol(_ bench: Bench) async throws -> [UInt8] {
        let token = try await bench.token(for: .bioEnrollment)
        var response = try await bench.manage(begin, token).bio()
        let id = try #require(response.templateID)
        while response.remainingSamples != 0 { response = try await bench.manage(next(id), token).bio() }
        return id
    }

    static func fingers(_ bench: Bench) async -> [BiometricTemplate] {
        await bench.device.snapshot().gate?.sensor?.templates ?? []
    }

    // MARK: Samples

    @Test func anEnrolmentTakesTheAdvertisedNumberOfGoodSamples() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .bioEnrollment)
        #expect(await bench.option("bioEnroll") == false)
        #expect(await bench.option("uv") == false)
        let info = try await bench.manage(BioEnrollmentRequest.of(.getFingerprintSensorInfo)).bio()
        #expect(info.fingerprintKind == FingerprintKind.touch.rawValue)
        #expect(info.maxTemplateFriendlyName == 64)
        let samples = try #require(info.maxCaptureSamplesRequiredForEnroll)
        var response = try await bench.manage(Self.begin, token).bio()
        let id = try #require(response.templateID)
        for left in (0..<samples).reversed() {
            #expect(response.lastEnrollSampleStatus == EnrollSampleStatus.good.rawValue)
            #expect(response.remainingSamples == left)
            guard left > 0 else { break }
            // No template is enrolled before the last sample.
            #expect(await Self.fingers(bench).isEmpty)
            response = try await bench.manage(Self.next(id), token).bio()
        }
        #expect(await bench.manage(Self.next(id), token).told == Self.noSuchEnrolment)
        #expect(
            try await bench.manage(Self.list, token).bio().templateInfos == [
                BioEnrollmentResponse.TemplateInfo(id: id, friendlyName: "")
            ])
        for option in ["bioEnroll", "uv", "userVerificationMgmtPreview"] { #expect(await bench.option(option) == true) }
        #expect(try await bench.make { $0.options["uv"] = true }.made().flags().contains(.userVerified))
    }

    @Test(arguments: EnrollSampleStatus.allCases)
    func everySampleStatusIsReportedAndOnlyAGoodSampleCounts(status: EnrollSampleStatus) async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .bioEnrollment)
        bench.person.willEnrol([status, .good, status, .good])
        let left = status == .good ? [3, 2, 1, 0] : [4, 3, 3, 2]
        var response = try await bench.manage(Self.begin, token).bio()
        let id = try #require(response.templateID)
        for (index, remaining) in left.enumerated() {
            let expected = index.isMultiple(of: 2) ? status : .good
            #expect(response.lastEnrollSampleStatus == expected.rawValue)
            #expect(response.remainingSamples == remaining)
            if index < 3 { response = try await bench.manage(Self.next(id), token).bio() }
        }
        let told = bench.log.all.compactMap { event -> EnrollSampleStatus? in
            if case .enrolmentSample(let status) = event.kind { status } else { nil }
        }
        #expect(told == [status, .good, status, .good])
    }

    @Test func thereAreFourteenSampleStatuses() {
        #expect(EnrollSampleStatus.allCases.map(\.rawValue) == Array(0...0x0B) + [0x0D, 0x0E])
    }

    @Test func thePlatformSetsTheTimeoutOfASample() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .bioEnrollment)
        bench.person.willEnrol([.noUserActivity, .noUserActivity])
        let start = bench.clock.now()
        let request = BioEnrollmentRequest.of(.enrollBegin) { $0.timeoutMilliseconds = 2500 }
        let response = try await bench.manage(request, token).bio()
        #expect(bench.clock.now() - start == .milliseconds(2500))
        #expect(response.lastEnrollSampleStatus == EnrollSampleStatus.noUserActivity.rawValue)
        _ = try await bench.manage(Self.next(response.templateID), token).bio()
        #expect(bench.clock.now() - start == .milliseconds(32_500))
    }

    @Test func anExcessiveTimeoutIsLimited() async throws {
        let bench = try await Bench.complete(pin: true)
        bench.person.willEnrol([.noUserActivity])
        let start = bench.clock.now()
        let request = BioEnrollmentRequest.of(.enrollBegin) { $0.timeoutMilliseconds = .max }
        #expect(try await bench.manage(request, with: .bioEnrollment).told == .ok)
        #expect(bench.clock.now() - start == .seconds(600))
    }

    // MARK: Ending early

    @Test func aCancelledEnrolmentLeavesNoTemplate() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .bioEnrollment)
        let id = try await bench.manage(Self.begin, token).bio().templateID
        #expect(await bench.manage(BioEnrollmentRequest.of(.cancelCurrentEnrollment)).told == .ok)
        #expect(await bench.manage(Self.next(id), token).told == Self.noSuchEnrolment)
        #expect(await Self.fingers(bench).isEmpty)
        // It succeeds even if there is nothing to cancel.
        #expect(await bench.manage(BioEnrollmentRequest.of(.cancelCurrentEnrollment)).told == .ok)
    }

    @Test func aPowerCycleEndsAnEnrolment() async throws {
        let bench = try await Bench.complete(pin: true)
        let id = try await bench.manage(Self.begin, with: .bioEnrollment).bio().templateID
        await bench.device.powerCycle()
        #expect(try await bench.manage(Self.next(id), with: .bioEnrollment).told == Self.noSuchEnrolment)
        #expect(await Self.fingers(bench).isEmpty)
        #expect(try await Self.enrol(bench) != [])
    }

    @Test func aNewEnrolmentReplacesAnUnfinishedOne() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .bioEnrollment)
        let first = try await bench.manage(Self.begin, token).bio().templateID
        let second = try await bench.manage(Self.begin, token).bio()
        #expect(second.remainingSamples == 3)
        #expect(second.templateID != first)
        #expect(await bench.manage(Self.next(first), token).told == Self.noSuchEnrolment)
        #expect(try await bench.manage(Self.next(second.templateID), token).bio().remainingSamples == 2)
    }

    /// A user who waits at the sensor while the platform cancels or the power is cycled.
    @Test(arguments: [true, false])
    func aCancelledCaptureEndsTheEnrolment(byPower: Bool) async throws {
        let person = WaitingUser()
        var prompts = person.prompts.makeAsyncIterator()
        let bench = try await Bench.complete(person: person)
        try await bench.setPIN()
        let token = try await bench.token(for: .bioEnrollment)
        async let begun = bench.manage(Self.begin, token)
        try #require(await prompts.next()).yield(.match())
        let id = try await begun.bio().templateID
        let capture = Task { await bench.manage(Self.next(id), token).told }
        _ = try #require(await prompts.next())
        if byPower { await bench.device.powerCycle() }
        capture.cancel()
        #expect(
            await capture.value
                == Told(.keepaliveCancel, byPower ? "person.powerLost" : "person.cancelledByPlatform"))
        let fresh = try await bench.token(for: .bioEnrollment)
        #expect(await bench.manage(Self.next(id), fresh).told == Self.noSuchEnrolment)
    }

    @Test func aSampleNeedsItsEnrolment() async throws {
        let bench = try await Bench.complete(pin: true)
        let token = try await bench.token(for: .bioEnrollment)
        #expect(await bench.manage(Self.next([1]), token).told == Self.noSuchEnrolment)
        let id = try #require(await bench.manage(Self.begin, token).bio().templateID)
        #expect(await bench.manage(Self.next(id + [0]), token).told == Self.noSuchEnrolment)
        #expect(
            await bench.manage(Self.next(nil), token).told
                == Told(.missingParameter, "bioEnrollment.parameterMissing"))
        // A refused request does not end it.
        #expect(await bench.manage(Self.next(id), token).told == .ok)
    }

    // MARK: Fingers

    @Test func aFriendlyNameIsLimitedInBytes() async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1], [2]])
        let token = try await bench.token(for: .bioEnrollment)
        for name in ["", "Daumen", String(repeating: "x", count: 64), String(repeating: "é", count: 32)] {
            #expect(await bench.manage(Self.rename([1], name), token).told == .ok)
            #expect(
                try await bench.manage(Self.list, token).bio().templateInfos == [
                    BioEnrollmentResponse.TemplateInfo(id: [1], friendlyName: name),
                    BioEnrollmentResponse.TemplateInfo(id: [2], friendlyName: "finger"),
                ])
        }
        for name in [String(repeating: "x", count: 65), String(repeating: "é", count: 33)] {
            #expect(
                await bench.manage(Self.rename([1], name), token).told
                    == Told(.invalidLength, "bioEnrollment.friendlyNameTooLong"))
        }
        await bench.device.powerCycle()
        #expect(await Self.fingers(bench).map(\.name) == [String(repeating: "é", count: 32), "finger"])
    }

    @Test func aMissingParameterOfASubcommandIsRefused() async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        let token = try await bench.token(for: .bioEnrollment)
        let missing = Told(.missingParameter, "bioEnrollment.parameterMissing")
        for request in [
            BioEnrollmentRequest.of(.setFriendlyName) { $0.templateID = [1] },
            .of(.setFriendlyName) { $0.friendlyName = "x" }, .of(.removeEnrollment), .of(.enrollCaptureNextSample),
        ] {
            #expect(await bench.manage(request, token).told == missing)
        }
        #expect(await bench.send(.bioEnrollment, [1: 1]).told == missing)
        #expect(await bench.send(.bioEnrollment, [2: 4]).told == missing)
    }

    @Test func aRemovedFingerNoLongerVerifies() async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1], [2]])
        let token = try await bench.token(for: .bioEnrollment)
        for (id, isLast) in [([1], false), ([2], true)] as [([UInt8], Bool)] {
            let remove = BioEnrollmentRequest.of(.removeEnrollment) { $0.templateID = id }
            #expect(await bench.manage(remove, token).told == .ok)
            #expect(await bench.option("uv") == !isLast)
            #expect(await bench.option("bioEnroll") == !isLast)
        }
        #expect(await bench.manage(Self.list, token).told.status == .invalidOption)
        #expect(await bench.make { $0.options["uv"] = true }.told.status == .invalidOption)
    }

    @Test func theTemplateStoreHasALimit() async throws {
        let bench = try await Bench.complete(pin: true)
        let full = Told(.fingerprintDatabaseFull, "bioEnrollment.storeFull")
        var ids: Set<[UInt8]> = []
        for _ in 0..<5 { ids.insert(try await Self.enrol(bench)) }
        #expect(ids.count == 5)
        #expect(try await bench.manage(Self.begin, with: .bioEnrollment).told == full)
        let remove = BioEnrollmentRequest.of(.removeEnrollment) { $0.templateID = ids.first }
        #expect(try await bench.manage(remove, with: .bioEnrollment).told == .ok)
        // Another template takes the last place during the enrolment.
        let token = try await bench.token(for: .bioEnrollment)
        let id = try await bench.manage(Self.begin, token).bio().templateID
        for _ in 0..<2 { #expect(await bench.manage(Self.next(id), token).told == .ok) }
        try await bench.device.changeGate { gate, now throws(GateError) in
            try gate.enrol(BiometricTemplate(id: [0], name: ""), at: now)
        }
        #expect(await bench.manage(Self.next(id), token).told == full)
        #expect(await Self.fingers(bench).count == 5)
    }

    @Test func aTokenFromAMatchMayEnrolAnotherFinger() async throws {
        let bench = try await Bench.complete(fingers: [[1]])
        let token = try await bench.pins().tokenUsingUV(permissions: .bioEnrollment)
        var response = try await bench.manage(Self.begin, token).bio()
        let id = response.templateID
        while response.remainingSamples != 0 { response = try await bench.manage(Self.next(id), token).bio() }
        #expect(await Self.fingers(bench).count == 2)
    }

    @Test func aFailedSensorDoesNotEnrol() async throws {
        let bench = try await Bench.complete(pin: true)
        for availability: SensorAvailability in [.failed, .busy] {
            try await bench.device.changeGate { gate, now in gate.setAvailability(availability, at: now) }
            #expect(
                try await bench.manage(Self.begin, with: .bioEnrollment).told
                    == Told(.operationDenied, "bioEnrollment.sensorUnavailable"))
        }
    }

    @Test func bioEnrollmentIsUnknownToAKeyWithoutAFingerprintSensor() async throws {
        for gate in [nil, Gates.phone] {
            let bench = Bench(gate: gate) { $0.management.bioEnrollment = ManagementConfiguration.BioEnrollment() }
            #expect(await bench.option("bioEnroll") == nil)
            #expect(
                await bench.send(.bioEnrollment, [6: true]).told
                    == Told(.invalidCommand, "message.unknownCommand"))
        }
    }

    @Test func aResetErasesTheFingersOfAKey() async throws {
        let bench = try await Bench.complete(pin: true, fingers: [[1]])
        #expect(await bench.send(.reset).told == .ok)
        #expect(await Self.fingers(bench).isEmpty)
        #expect(await bench.option("bioEnroll") == false)
    }
}
