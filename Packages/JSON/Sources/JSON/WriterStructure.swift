#if DEBUG
    /// The structure of what a writer has written. Misuse of the writer stops a debug build. Release
    /// builds do not have this type.
    struct WriterStructure: Sendable {
        private enum Level { case document(isComplete: Bool), object(hasKey: Bool), array }

        private var enclosing: [Level] = []
        private var level = Level.document(isComplete: false)

        mutating func beginKey() {
            switch level {
            case .object(hasKey: false): level = .object(hasKey: true)
            case .object(hasKey: true): assertionFailure("JSONWriter: a key without a value")
            case .document, .array: assertionFailure("JSONWriter: a key outside an object")
            }
        }

        mutating func beginValue() {
            switch level {
            case .document(isComplete: false): level = .document(isComplete: true)
            case .document(isComplete: true):
                assertionFailure("JSONWriter: a second top-level value")
            case .object(hasKey: true): level = .object(hasKey: false)
            case .object(hasKey: false): assertionFailure("JSONWriter: a value without a key")
            case .array: break
            }
        }

        mutating func open(isObject: Bool) {
            enclosing.append(level)
            level = isObject ? .object(hasKey: false) : .array
        }

        mutating func close() {
            if case .object(hasKey: true) = level {
                assertionFailure("JSONWriter: a key without a value")
            }
            level = enclosing.removeLast()
        }

        /// Checks encoded text, which is a value, or members where a key is expected.
        mutating func encoded(_ text: [UInt8]) {
            if case .object(hasKey: false) = level {
                let members = Array("{".utf8) + text + Array("}".utf8)
                assert(
                    text.contains(UInt8(ascii: "\"")) && Self.isValue(members),
                    "JSONWriter: a value without a key, or encoded text that is not valid"
                )
            } else {
                beginValue()
                assert(Self.isValue(text), "JSONWriter: encoded text that is not valid")
            }
        }

        func finish() {
            guard case .document(isComplete: true) = level else {
                return assertionFailure("JSONWriter: no value, or one that is not complete")
            }
        }

        /// Whether the text is one value. A number that the parser cannot represent is valid.
        private static func isValue(_ text: [UInt8]) -> Bool {
            let limits = JSONLimits(maximumBytes: .max, maximumDepth: 1_024)
            do { _ = try JSONDocument(parsing: text, limits: limits) } catch {
                switch error {
                case .tooDeep, .numberOutOfRange: return true
                default: return false
                }
            }
            return true
        }
    }
#endif
