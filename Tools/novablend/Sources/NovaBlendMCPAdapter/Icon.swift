/// The picture that clients show: a pair of scissors, 48 x 48, PNG.
enum Icon {
    static let dataURI = """
        data:image/png;base64,\
        iVBORw0KGgoAAAANSUhEUgAAADAAAAAwAQMAAABtzGvEAAAABlBMVEX///9bKoZem/gSAAAAAXRS\
        TlMAQObYZgAAAIxJREFUeNp90LENxCAMBdBvUbgLG4Q1UkSZ6UoKpHC6xTwKI7hMxxnCKVdEcfMK\
        428L4KkmYDE8EC84QxtCDSdUDCpOLqD2yCp6/LHOnW3rzGvHx5Ojw9px5YbRG4y5kTI4N4QUkrEf\
        vhpVuWY7TPkjIFF+C1xeJpRHSF5M8ptDLc5SsAu1zACk+x/7Av7SNrYISlSEAAAAAElFTkSuQmCC
        """
}
