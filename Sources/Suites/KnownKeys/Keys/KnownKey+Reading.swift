internal import DeviceProfiles
package import Documents
internal import WebAuthn
internal import YAMLFiles

extension KnownKey {
    /// - Throws: ``SourceError`` with the line and the expected form.
    package init(parsing text: String, file: String) throws(SourceError) {
        let fields = try YAMLValue.parse(text, file: file).fields([
            "name", "title", "maker", "aaguids", "usb", "nfc", "get-info", "limits", "quirks", "varies", "virtual",
            "unverified", "sources",
        ])
        name = try fields.required("name").string()
        title = try fields.required("title").string()
        maker = try fields.required("maker").string()
        models = try Self.models(fields.required("aaguids"))
        hasNFC = try fields.required("nfc").bool()
        usb = try Self.list(fields["usb"]) { item throws(SourceError) in try USBIdentity(reading: item) }
        info = try ExpectedInfo(reading: fields.required("get-info"))
        limits = try Limits(reading: fields["limits"])
        quirks = try Self.list(fields["quirks"]) { item throws(SourceError) in
            let fields = try item.fields(["says", "source"])
            return Quirk(summary: try fields.required("says").string(), source: try fields.required("source").string())
        }
        exceptions = try Self.list(fields["varies"]) { item throws(SourceError) in try Exception(reading: item) }
        virtualExceptions = try Self.list(fields["virtual"]) { item throws(SourceError) in
            try Exception(reading: item)
        }
        unverified = try Self.list(fields["unverified"]) { item throws(SourceError) in try item.string() }
        let sources = try fields.required("sources")
        self.sources = try Self.list(sources) { item throws(SourceError) in try item.string() }
        guard !self.sources.isEmpty else { throw sources.error("sources is empty; name at least one") }
    }

    private static func models(_ value: YAMLValue) throws(SourceError) -> [Model] {
        var models: [Model] = []
        for item in try value.items() {
            let fields = try item.fields(["aaguid", "model"])
            let identifier = try fields.required("aaguid")
            guard let aaguid = AAGUID(try identifier.string()) else {
                throw identifier.error("expected an AAGUID such as 01020304-0506-0708-0102-030405060708")
            }
            guard !models.contains(where: { $0.aaguid == aaguid }) else {
                throw identifier.error("\(aaguid) is listed twice")
            }
            models.append(Model(aaguid: aaguid, name: try fields.required("model").string()))
        }
        return models
    }

    private static func list<Item>(
        _ value: YAMLValue?, _ read: (YAMLValue) throws(SourceError) -> Item
    ) throws(SourceError) -> [Item] {
        var items: [Item] = []
        for item in try value?.items() ?? [] { items.append(try read(item)) }
        return items
    }
}

extension KnownKey.Limits {
    fileprivate init(reading value: YAMLValue?) throws(SourceError) {
        let fields = try value?.fields(["pin-retries", "uv-retries", "credentials", "touch-timeout", "reset-window"])
        pinRetries = try fields?["pin-retries"]?.int(in: 1...8)
        uvRetries = try fields?["uv-retries"]?.int(in: 1...25)
        discoverableCredentials = try fields?["credentials"]?.int(in: 0...100_000)
        touchTimeout = try fields?["touch-timeout"]?.duration()
        resetWindow = try fields?["reset-window"]?.duration()
    }
}

extension KnownKey.Exception {
    fileprivate init(reading value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["place", "because"])
        let place = try fields.required("place")
        let text = try place.string()
        guard InfoDifference.isPlace(text) else {
            throw place.error("expected a member of getInfo, such as maxMsgSize or options.alwaysUv, or usb")
        }
        self.place = text
        reason = try fields.required("because").string()
    }
}
