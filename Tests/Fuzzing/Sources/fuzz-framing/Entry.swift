import FuzzTargets

/// libFuzzer calls this function with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    fuzzFraming(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
