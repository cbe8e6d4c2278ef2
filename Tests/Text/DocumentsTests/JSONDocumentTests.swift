import Documents
import Testing
import YAMLFiles

@Suite("Documents in JSON")
struct JSONDocumentTests {
    /// Each with the JSON that is written for it.
    @Test(arguments: [
        ("a: 1", #"{"a":1}"#), ("a: -0.50", #"{"a":-0.50}"#), ("a: 0x1F", #"{"a":31}"#), ("a: 007", #"{"a":"007"}"#),
        ("a: '1'", #"{"a":"1"}"#), ("a: true", #"{"a":true}"#), ("a: 'true'", #"{"a":"true"}"#),
        ("a: yes", #"{"a":"yes"}"#), ("a:", #"{"a":null}"#), ("a: ~", #"{"a":null}"#), ("a: '~'", #"{"a":"~"}"#),
        ("b: 1\na: [x, { c: d }, []]", #"{"b":1,"a":["x",{"c":"d"},[]]}"#), ("a: {}", #"{"a":{}}"#),
        ("a: \"q\\\"b\\\\n\\nt\\tu\\u0001\"", #"{"a":"q\"b\\n\nt\u0009u\u0001"}"#),
        ("a: é€😀", #"{"a":"é€😀"}"#), ("a: 0xG", #"{"a":"0xG"}"#), ("a: 1.", #"{"a":"1."}"#),
    ])
    func yamlAsJSONStaysTheSameDocument(yaml: String, json: String) throws {
        let value = try YAMLValue.parse(yaml, file: "t.yaml")
        #expect(value.json == json)
        #expect(JSONMistake(in: Array(json.utf8)) == nil)
        let again = try YAMLValue(json: json, file: "t.json")
        #expect(again.json == json)
        // YAML includes JSON.
        #expect(try YAMLValue.parse(json, file: "t.yaml").json == json)
    }

    @Test(arguments: [
        (#""\u0041\u00e9""#, "Aé"), (#""\ud83d\ude00!""#, "😀!"), (#""\/\b\f\r""#, "/\u{8}\u{C}\r"),
        (#""\\u0041""#, "\\u0041"),
    ])
    func escapesAreRead(json: String, text: String) throws {
        #expect(try YAMLValue(json: json, file: "t.json").string() == text)
    }

    @Test func aPlainScalarKeepsItsKind() throws {
        let fields = try YAMLValue(json: #"{"n":12,"t":"12","b":true,"e":null}"#, file: "t.json").fields()
        #expect(try fields.required("n").int() == 12)
        #expect(throws: SourceError.self) { try fields.required("t").int() }
        #expect(try fields.required("b").bool())
        #expect(fields["e"] == nil)
    }

    @Test func aValueHasItsPlace() throws {
        let value = try YAMLValue(json: "{\n  \"é\": [1, {\n \"b\": 2 }]\n}", file: "t.json")
        let list = try value.fields().required("é")
        let last = try list.items()[1].fields().required("b")
        #expect(list.source == SourcePlace(file: "t.json", line: 2, column: 8))
        #expect(last.source == SourcePlace(file: "t.json", line: 3, column: 7))
        #expect(last.error("wrong").description == "t.json:3:7: é[1].b: wrong")
    }

    @Test(arguments: [
        ("{\"a\": 1,\n \"a\": 2}", "t.json:2:2: not JSON: a is given twice; keep one"),
        ("{\"a\": [tru]}", "t.json:1:8: a[0]: not JSON: tru is not a value; texts stand in double quotation marks"),
        (
            #"["\ud83d"]"#,
            "t.json:1:3: [0]: not JSON: the escape is half of a character; write both halves, or the character itself"
        ),
        (
            #"["\ud83d\u0041"]"#,
            "t.json:1:3: [0]: not JSON: the escape is half of a character; write both halves, or the character itself"
        ),
        ("", "t.json:1:1: not JSON: the text is empty; give a JSON value"),
    ])
    func aMistakeHasItsPlace(json: String, says: String) {
        let error = #expect(throws: SourceError.self) { try YAMLValue(json: json, file: "t.json") }
        #expect(error?.description == says)
    }
}
