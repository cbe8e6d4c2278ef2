internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import ProfileFiles
internal import SimulatedDevice
internal import Transports
internal import VirtualAuthenticator
internal import YAMLFiles

extension ControlOperations {
    var devices: [Operation] {
        [
            operation(
                .get, "/v1/devices", "listDevices", "List the devices", .devices,
                answer: TypedAnswer<[DeviceSummary]>("All devices, by name")
            ) { _ in
                var summaries: [DeviceSummary] = []
                for device in await fleet.all { summaries.append(await DeviceSummary(device)) }
                return summaries
            },
            Operation(
                method: .post, path: "/v1/devices", name: "createDevice", summary: "Start a device", tag: .devices,
                body: Self.orderSchema, answer: TypedAnswer.state.answer(.created), errors: [409, 422, 503]
            ) { call in
                let device = try await fleet.start(try await order(call.body))
                var response = try Reply.json(await device.host.report(), status: .created)
                response.headers[.location] = "/v1/devices/\(device.name)"
                return response
            }
            .taking(bodyOf: Self.largestAct),
            onDevice(.get, "", "readDevice", "Read a device's current state", answer: .state) { device, _ in
                await device.host.report()
            },
            operation(
                .delete, "/v1/devices/{device}", "deleteDevice", "Switch a device off and delete it", .devices,
                done: "The device is deleted"
            ) { call in try await fleet.stop(call.parameter("device")) },
            onDevice(.get, "/clock", "readClock", "Read a device's clock", answer: .clock) { device, _ in
                ClockReport(device.host.clock)
            },
            onDevice(
                .post, "/clock", "moveClock", "Advance a device's simulated clock, or set any device's clock back",
                body: Self.clockSchema, answer: .clock, errors: [409, 422]
            ) { device, call in
                let place = device.placeOfAct
                if let span = call.body["setBack"]?.text {
                    try await setBack(device, Span.step(span))
                    device.note("set-clock-back", ["by": span], after: place)
                } else {
                    let span = call.body["advance"]?.text ?? ""
                    try advance(device, span)
                    device.note("wait", ["for": span], after: place)
                }
                return ClockReport(device.host.clock)
            },
        ]
    }

    private static let clockSchema = Schema.object(
        Schema.Members(
            members: [
                .optional("advance", Span.schema, "A span, such as \"30 s\" or \"5 min\"."),
                .optional("setBack", Span.schema, "The span by which the user sets the clock back."),
            ], atLeast: 1, atMost: 1))

    private func setBack(_ device: ManagedDevice, _ span: Duration) async throws {
        do {
            _ = try await device.host.perform(.setClockBack(by: span))
        } catch {
            throw APIError(409, "clock.notSet", because: error)
        }
    }

    /// The last second of the year 9999.
    private static let latestTime = Duration.seconds(253_402_300_799)

    private func advance(_ device: ManagedDevice, _ text: String) throws(APIError) {
        guard case .simulated(let time) = device.host.clock else {
            throw APIError(
                409, "clock.real", "The device runs on the computer's clock; start one with \"clock\": \"simulated\".")
        }
        let span = try Span.step(text)
        guard time.clock.now() + span <= Self.latestTime else {
            throw APIError(422, .spanInvalid, "The span leads beyond the year 9999; choose a shorter one.")
        }
        time.advance(by: span)
    }
}

extension ControlOperations {
    private static let connectionsSchema = Schema.object(
        .optional("udp", .integer(0...65535), "Serve CTAPHID on this UDP port of 127.0.0.1; 0: a free port."),
        .optional("usb", .boolean, "Appear to the operating system as a USB security key (Linux, /dev/uhid)."),
        .optional("nfc", .boolean, "Appear on pcscd's virtual reader (vsmartcard-vpcd)."))

    private static let orderSchema = Schema.named(
        "DeviceStartRequest", .object(Schema.Members(members: orderMembers)))

    /// The members of an order to start a device.
    static let orderMembers: [Schema.Member] = [
        .required(
            "profile",
            .anyOf([
                .string(1...100),
                .object(
                    Schema.Members(
                        members: [
                            .optional("yaml", .string(1...100_000), "The text of a profile file."),
                            .optional("state", .string(1...largestAct), "A device's state, from GET …/state."),
                        ], atLeast: 1, atMost: 1)),
            ]), "A profile's name, the text of a profile file, or the state of a device, which the new one continues."),
        .optional("name", DeviceName.schema, "The device's name; default: the profile's."),
        .optional("seed", .integer(0...Int.max), "The random seed of its keys, IDs and signatures."),
        .optional(
            "person", .choice(ControlledUser.Habit.allCases.map(\.rawValue)),
            "The user's behaviour without planned acts: auto agrees at once, ask waits for an act."),
        .optional(
            "samples", SamplesRequest.schema,
            "The model of the samples of a user who agrees at once; default: they match."),
        .optional(
            "clock", .choice(ClockReport.Kind.allCases.map(\.rawValue)),
            "The computer's clock, or a simulated one that only requests advance."),
        .optional("connections", connectionsSchema, "The transports that serve the device; default: none."),
    ]

    private func order(_ body: JSONValue) async throws -> DeviceStartRequest {
        let source = body["profile"] ?? .null
        // A profile is another person's text, and reads further files.
        var order: DeviceStartRequest = try await files.run {
            if let state = source["state"]?.text { return try Self.order(state: state) }
            return DeviceStartRequest(profile: try self.profile(source))
        }
        let profile = order.profile
        order.name = body["name"]?.text
        order.seed = body["seed"]?.integer.map { UInt64($0) }
        order.habit = (body["person"]?.text).flatMap(ControlledUser.Habit.init) ?? .auto
        if let samples = body["samples"] {
            guard profile.sensor != nil else {
                throw APIError(422, .samplesInvalid, "\(profile.name) has no sensor; leave samples out.")
            }
            guard order.habit == .auto else {
                throw APIError.idleMember(
                    "samples",
                    "has no effect beside “person” \(order.habit.rawValue): that user gives no sample alone; "
                        + "leave one of them out")
            }
            order.nature = try SamplesRequest.plan(samples, seed: order.seed)
        }
        order.hasSimulatedClock = body["clock"]?.text == ClockReport.Kind.simulated.rawValue
        let connections = body["connections"]
        if let port = connections?["udp"]?.integer {
            var udp = UDPEndpoint.Configuration()
            udp.port = port
            order.connections.udp = udp
        }
        order.connections.usb = connections?["usb"]?.bool ?? false
        if connections?["nfc"]?.bool == true { order.connections.nfc = VPCDEndpoint.Configuration() }
        return order
    }

    private func profile(_ value: JSONValue) throws(APIError) -> DeviceProfile {
        do {
            if let yaml = value["yaml"]?.text {
                return try DeviceProfile(parsing: yaml, file: "yaml", extendsByNameOnly: true)
            }
            return try configuration.profiles.known(value.text ?? "")
        } catch {
            throw APIError(422, "profile.invalid", because: error)
        }
    }
}

extension ProfileLibrary {
    /// The profile of a name; unlike ``profile(_:)`` it reads no path, because clients cannot name files.
    func known(_ name: String) throws(SourceError) -> DeviceProfile {
        guard let plainName = ResourceName.plainName(name) else {
            throw SourceError(file: "profile", line: nil, message: "\"\(name)\" is not the name of a profile")
        }
        return try profile(plainName)
    }
}

extension TypedAnswer<ClockReport> {
    fileprivate static var clock: Self { Self("The device's time", named: "Clock") }
}
