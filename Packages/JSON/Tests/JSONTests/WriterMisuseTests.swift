#if DEBUG
    import JSON
    import Testing

    @Suite("Misuse of the writer")
    struct WriterMisuseTests {
        /// What a program does wrong.
        enum Misuse: CaseIterable, Codable {
            case keyAfterKey, keyAtEnd, keyInArray, valueWithoutKey, secondValueAfterKey
            case secondTopLevelValue, noValue, unbalancedText, twoValuesInText, textWithoutKey
        }

        private static func commit(_ misuse: Misuse, in writer: inout JSONWriter) {
            switch misuse {
            case .keyAfterKey: writer.object { $0.members("a", "b") }
            case .keyAtEnd: writer.object { $0.key("a") }
            case .keyInArray: writer.array { $0.member("a", 1) }
            case .valueWithoutKey: writer.object { $0.null() }
            case .secondValueAfterKey: writer.object { $0.values(after: "a") }
            case .secondTopLevelValue: writer.values(after: nil)
            case .noValue: break
            case .unbalancedText: writer.raw(Array("[1".utf8))
            case .twoValuesInText: writer.raw(JSONFragment(trusted: Array("1,2".utf8)))
            case .textWithoutKey: writer.object { $0.raw(Array("1".utf8)) }
            }
        }

        private static func message(_ misuse: Misuse) -> String {
            switch misuse {
            case .keyAfterKey, .keyAtEnd: "a key without a value"
            case .keyInArray: "a key outside an object"
            case .valueWithoutKey, .secondValueAfterKey, .textWithoutKey: "a value without a key"
            case .secondTopLevelValue: "a second top-level value"
            case .noValue: "no value"
            case .unbalancedText, .twoValuesInText: "encoded text that is not valid"
            }
        }

        @Test("it stops a debug build with a message", arguments: Misuse.allCases)
        func stops(misuse: Misuse) async {
            let result = await #expect(
                processExitsWith: .failure,
                observing: [\.standardErrorContent]
            ) { [misuse] in
                _ = JSONFragment { Self.commit(misuse, in: &$0) }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(output.contains("JSONWriter: \(Self.message(misuse))"), "\(output)")
        }
    }

    extension JSONWriter {
        fileprivate mutating func members(_ keys: StaticString...) {
            for key in keys { self.key(key) }
            null()
        }

        fileprivate mutating func values(after key: StaticString?) {
            if let key { self.key(key) }
            bool(true)
            object { _ in }
        }
    }
#endif
