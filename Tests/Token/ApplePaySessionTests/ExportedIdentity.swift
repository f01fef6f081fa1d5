import Foundation

/// A merchant identity as `openssl pkcs12 -nodes` writes it: an RSA key and a certificate in one file, with attributes between
/// them. It is self-signed and worthless. The openssl command made all of it.
enum ExportedIdentity {
    static let merchantIdentifier = "merchant.com.example.shop"
    /// The end as `openssl x509 -enddate` prints it: Jul 13 08:03:42 2051 GMT.
    static let notAfter = Date(timeIntervalSince1970: 2_572_848_222)

    static let certificateAndKey = """
        Bag Attributes
            localKeyID: 63 4E D3 B4 29 D9 86 E9 CD B0 71 32 8F 95 9D CA 2B 8A 25 B0
            friendlyName: Merchant ID
        subject=UID = merchant.com.example.shop, CN = Apple Pay Merchant Identity:merchant.com.example.shop, OU = TEAM000000, O = Example, C = AE
        issuer=UID = merchant.com.example.shop, CN = Apple Pay Merchant Identity:merchant.com.example.shop, OU = TEAM000000, O = Example, C = AE
        -----BEGIN CERTIFICATE-----
        MIIEIzCCAwugAwIBAgIUdTssFrVlqD6mthsbtgQOkfNVUPowDQYJKoZIhvcNAQEL
        BQAwgZ8xKTAnBgoJkiaJk/IsZAEBDBltZXJjaGFudC5jb20uZXhhbXBsZS5zaG9w
        MT4wPAYDVQQDDDVBcHBsZSBQYXkgTWVyY2hhbnQgSWRlbnRpdHk6bWVyY2hhbnQu
        Y29tLmV4YW1wbGUuc2hvcDETMBEGA1UECwwKVEVBTTAwMDAwMDEQMA4GA1UECgwH
        RXhhbXBsZTELMAkGA1UEBhMCQUUwIBcNMjYxMTIxMDgwMzQyWhgPMjA1MTA3MTMw
        ODAzNDJaMIGfMSkwJwYKCZImiZPyLGQBAQwZbWVyY2hhbnQuY29tLmV4YW1wbGUu
        c2hvcDE+MDwGA1UEAww1QXBwbGUgUGF5IE1lcmNoYW50IElkZW50aXR5Om1lcmNo
        YW50LmNvbS5leGFtcGxlLnNob3AxEzARBgNVBAsMClRFQU0wMDAwMDAxEDAOBgNV
        BAoMB0V4YW1wbGUxCzAJBgNVBAYTAkFFMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A
        MIIBCgKCAQEAo3uLacX+jUUdBRpJHKzSHQWmydGHO8+4SOteUR5pMTm1WSfpYS4y
        m2/VNxmU31d0h7KDnEpQd9/hL8vQY0S2oOZL0AApBpdXJQ2YyD9/exw1/tK0CkGD
        MzOouKd2FgHNM/3R3FLrjwXUCvaG8D5dugZoeH+lhNV7J/yE9SokJn4d4GhFazTo
        /wzs3sdtUE94Z5JfgLBxP22K939CnmIB9CifvvY41gaTa8U9vmExiBWHLBwDleLh
        QPGWz4Q8l/XeIwwjlA/6CBlDoH7TDfulDroKrQm9QP38zToYfmBPqMco42A7jTqG
        QiDBKFl/TZ0oOh58lgBNvoPfL5+yATeuWQIDAQABo1MwUTAdBgNVHQ4EFgQUjW5M
        GBr+ojzjn6mbsRlXAUSyiUIwHwYDVR0jBBgwFoAUjW5MGBr+ojzjn6mbsRlXAUSy
        iUIwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAQEAW40K35iPYZ9P
        vlk2Y6/+spk/K2kaB/rifRdvm4G4pJYOkDLjyH9eYdItcprfA9KBzC2e8fhCzF1X
        3h5vh1lZoBtFh3mg+cTPm1hccQ2O/AxOIVCrw3fc4p5+YZQF3NIPbX0qwIZOYoCN
        gra180rg88ke4uHCcKeokLQM+LZPzpymSEWxasbBeWqqxxoBp1KfVV2ox7cKTYrD
        vUq7Pa4vdjKj9F7lxhFewq538cyoAVl8CDBw6kzdFaR5ggxQ+3zo+OhA5Ue4R7fE
        pOxjlXH+4eXJMkANhwDDwMZNjp+mQNOz2ng3dD5eiLFia4b7Hn3cdDuPDxLfk5me
        p81EQoTLgA==
        -----END CERTIFICATE-----
        Bag Attributes
            localKeyID: 63 4E D3 B4 29 D9 86 E9 CD B0 71 32 8F 95 9D CA 2B 8A 25 B0
            friendlyName: Merchant ID
        Key Attributes: <No Attributes>
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCje4tpxf6NRR0F
        GkkcrNIdBabJ0Yc7z7hI615RHmkxObVZJ+lhLjKbb9U3GZTfV3SHsoOcSlB33+Ev
        y9BjRLag5kvQACkGl1clDZjIP397HDX+0rQKQYMzM6i4p3YWAc0z/dHcUuuPBdQK
        9obwPl26Bmh4f6WE1Xsn/IT1KiQmfh3gaEVrNOj/DOzex21QT3hnkl+AsHE/bYr3
        f0KeYgH0KJ++9jjWBpNrxT2+YTGIFYcsHAOV4uFA8ZbPhDyX9d4jDCOUD/oIGUOg
        ftMN+6UOugqtCb1A/fzNOhh+YE+oxyjjYDuNOoZCIMEoWX9NnSg6HnyWAE2+g98v
        n7IBN65ZAgMBAAECggEAC1SZ3iavqfPd0IeOBKjtARTuBokj7HR3lcThAGdGrCI5
        8ZLEvTcEoTrtgJ2gcKBGPndpYWYnJepu2C9cjdy/zu6sgh8uDhEOzvhzxoExdoNc
        h1ZBeH/U4NzA4gISkEY8sNCegGeA1aSg7xzp+kb1m68rrhpOtaJOyv/Yk94BVmeF
        MOz5IRz+ToZQ/DmytTfzXn3LNrj8av4ClkQ7GWxXBsfFYBySfQRapo6XR6iHjj9i
        IFiarFRTxnQnBfIzK+tIOEtfIjENe7BK+ESiHW3AJs2tIa4aMhaq0iJrRJM37Znd
        PC6xFnz8tHrAIJ1TLE7pUKn6SuHBTNraXNG9PGxCuQKBgQDY6Y0kKM8t2M2u/lCt
        BjfGVec6Luqo3WgwaIAyOEMWraeJ0VGqROtKIoyOJRaw1BwZp+B7+Z/b3Nt4h5ok
        lMsqyUThI7yC0QMSHz+InHJYAzJ1K0XOyPTCuFA6ouMsfY4Hg7WUBw79grecmkKr
        zZAfMhZbur4JL+kwTH+ADAhgBQKBgQDA8TXsjDuDD131MBdfqeDN/VnHBuU7yGUY
        yewiaCme+/zpLzi0duOQb+ZEewICv9BDa7/kU93KjaNEBxZDvdrlMo41K/DHC8bU
        F8WKEkGzEHr0Fp6n52JsQ2qcCaiQK90+TYz+Tz4E3Ym90SRzAzAyi9VsxeBstTi0
        3HNfAlEpRQKBgG9d+glGqphvZ6shB2rOdnRuRnmo/PIWOxgfjzI5kLhkEFDCF5vE
        Jsm5U1Dn2e6P+J1zg94jG+BWVJhdhtahTm55R9QP9Ql1Jo53XLdXG530hkOCJCU3
        J/ORjh+M4fZFwFY7WU7XEOs34e2VhgWPVR+vJ6uRBWDSKHeTzyJ/Cw3BAoGAagRg
        mAEaNlK8UxzAyy0CPM3ohecxEJ91haB2YxWPQS+/cbYj1224b0Y9ZgWdPjt9yX4s
        a971cPZQ7vFh94kb/XLBF1B0tjqvXx1Myyhq92Sn2vWO6j3HJCwLKYBZIhcoM7LT
        NW3/axb8N9PyzkvDMRMLDADS54jQhvjXYC5awG0CgYBdhUYPoZZLhst/Ciz0XQvZ
        94Ml+rOI3sSQFlQba0/lHT11CKY5/wcaIonydXLL2x+BG0Wwbd828HrwZvRNgOZz
        PuACkFZlLPOIQLhKK2VESKPqRq70WG3AUFzQNklJQljaBw2rYzgtv4A79e+UWfrn
        NpTxiQGmXy2CvNcNDMi5YQ==
        -----END PRIVATE KEY-----
        """

    /// The same key, encrypted with a password, in PKCS #8.
    static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIIFLTBXBgkqhkiG9w0BBQ0wSjApBgkqhkiG9w0BBQwwHAQIrirPW/qs5XQCAggA
        MAwGCCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBDSZ6c6OljVLa+eeLYZQ+QABIIE
        0H+XAVaPPAyXrpXqIU9bdN7DLkSUmecYkaa+D6tQSKZqXRD2ieN8ZU4T816SpRTl
        SSbunBzpZV8sVrcfgrVi7wB4jrjJPxrn+qtK7F+tFUVMF/Owv63NM8eVNL5SywC0
        TRtZxVkuiYr0tq7f1QK87SkpMdvFD2bFG5wM4NnMkznlHCEMR7EEWy3O5hokMMYA
        GshU75RX+ZRbRtevv8I1oa0YoYC+D61WkIG5dRlKSNdZJxTbJVb2aWQiS9KGehw2
        lEOHXXsD8FcKsG1EdD0TPfKWLM1Nd0elARUih5LubIBzC6Z4jU+avZgahUKlvCrp
        KWVvnGmiZdiwXASlVy0ldDAFoT4PwikzFmEhbobjT7jkeUftJw9nAa1qWxDSb5wi
        z4+OIdjGkWFnZ3HYEb9KYA7fgEPoiEy9xyL9hFdeJQ4nZC4oJcRoPw2oeHHcQ97N
        KOhvhPJhPP3fLgbRGVY2CgubJNOP8um+VVjtTAH5/6edaKoAunAqMeNjxNUPyD9l
        rG6U643fPxgaofz4jnH5oFujmtX5cxKf8o+7XDm9KedUw6sJbZos0gciF7GDyK+7
        0QpTQgzVNGpVTvTwEnqyO/FXAX1dw8e2dBJ1blnhwJioumFQlHWcItRM5x5myaY6
        FH5Zvux67KNwWKjHl0vZJxvBHzu+pe2acarfLfYqlJxCjZ3gAXZhUiJB882q/Zq0
        lSscjzDB/UjLkbEL9ScdZ+rvqOW5+Nl9VAMymmVaBzGjiIfdox3D6XF/a6qfYug9
        XxeLtbj4WwNXmG8Engaj0yejRfo8IolJL44WCy/UVxXGkq7lvvdyIatUG6viThR2
        PXKnFZT7TQMEfsoc+LBE4LaRgSRf7bY+gpGvruBfda5Yvsd476NS9/484/JBvJzR
        44XMSUy0C9F1Mioid7bE8FSKkUXCMYzHraNfn0YMus+OiAj9WtLR4bwKhKO0STZa
        q8Q5yMoLOXLyWsP0iwt2Oiyg7fTBf+MdL02cRZVgCblbC4d3DCzUnyp3OS1rJVkn
        V7kPaetwasnPybmRez8ys0GJ/chA29wqth4glROELesqirUco2MM3WQhha4taerd
        EsUdc0purLrI+NPI2hg1dTDUOjAVXHJ9MRvvEUvtyvi7H5hQUEsnIOy3ighTlyU2
        Nty1cxIT5lRI0gse6qGJhd54eXATS/ngBYRAiakn3FyxIno6j1AffRCc7Kx3Ftgv
        eGlnKnT43aWgl/T1WD5tHTUQh88ToU96S35Ap4+cfIv2pVnUcFHi0voxJoaGvNS3
        om8dag1ULF20bQ/L3FSQSEWk+Ap0nZ7JEZEQJzYTfhBWx2LgbGDnD3Yyhmva4OpL
        zPOZdU0rU4rM/JsFOQgqfu2yg8LnL3qPVFBqjjCzAAB/GPFcuizgHmgo7DAkGzWF
        6FMhK+plRy5eVTs3Rg4pju7Z8MXmnPkg04e4shC1hfxRTzwForYtmWuQhe/CET99
        bM79xyjrnWc0aytXvKcPVe+1emUs+E5WJF+jRTgMOoq8e4uMzVxAIvkqb37M1y4u
        SDtlX/QkDmAMP5yrvZUwGFEGt1BQ/8R2ApPv8w3dWlg2sshLtDe+FaSrxTthlr8U
        7HQKTkbTqpW5yUz2Ab1/2vJHEHS19vUtsaD7rcLNYhiU
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// The same key, encrypted with a password, in the older form of PEM.
    static let encryptedKeyOfOldForm = """
        -----BEGIN RSA PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,7D9DB4F61EAAC0904E4048E129108EB0

        ietrRkSbyzOGUd+2UXhM459oHtwCZyvNU33RiS9b6nBkFBFj8tRVaKranwfrrudB
        NzuPVc1Fe5fDeZI+4DlbW5tubiKkwaQiryKqG0H9n6rnTl41+0os0oP5xFSgQGFH
        fzYLm555fb4ND54MksVrI4VumprZBIwHnHC2pPizQc+KaFjV3h8RyCeyQDK0vaDz
        X5+QnyrQ/fteFqKxIDFpbZKThW/SmIEHTeZiyAhMP2vz66L1B977ktyl+OjonD04
        Eh+qtVvL5OxbqzcewhXxxVtLb9zxEHAvCgpYjBOPzWfNZ3pOL1rV2pI16OGUEw2C
        nPg46dr2tUbFILHrxg/S9Z7qTzq1RA8dvBSJ2/3vr+Q9xbCq5Y3Q+zNqqJ14/iEF
        mLa1gh5/PAT9L3xNatmyeIzi4u2J5A+ss1s0eSaYpSel33K84cqikuz1uJPWQ+Qi
        RM97UALOrKTVzdeVQrCnEsff0FaByoZHEFStazkZljFMY0ArdcmHx4GJ/AHJnwA5
        5UU2JtBX5LJAHVuCOhiZkNgMz3xjgHTC3STD6CQTXClE1N0E7XV0jLOcTBL8YN0k
        HuCmCldFjRSD/C8BONJrpQCESVTEHZv7dJWWVk4t0qQ+/8If1LAvgMm35pYmdkLI
        NScrt5TKVlCbbGILGDt7/Ep+maijHLMGlGGBf45XmpRrFK9EuaxVgjX0km6IaGBW
        uyq4ukqyX9vBJtRRPJg7rcHXTyRAar2QjRQwkiaRhDqnLDgtnmUsL+U5WjTRGfnl
        fQRO7Mhf6b413wQ5nmlvbhbcUAFus7wtdDzBOlwlfV/GpVVa7qHlRiXM+O27g6zj
        OHQKFOgOaZV9Dr7Rt4KUMV1R0YsUgJ45q+QM2VSKqCJD2fr+R1GmNrN2Ovt8qtUE
        /f/2f7ZQV9xREFthUKHCVfngUFJ4jKhAPXmfyrJOlsryk5NjTOKgzNe0QlIV3/im
        mb7SnV0tMs3NKEAMVYisazecbTINLf1e5jnxlFW/Q/R5LLbNmAkR9O3cZl3GdvSR
        ciVLQHvMzaS+TkUMXV41ZjqwbwN1oRAQO6aWmXSEcdk2jUmbbvj3o/NyO165OCa1
        6ghkP/zvCa51eZ5XmLGoxSy6BsQstlgWGrO5hj20KqF7UyxaAvuoQRGAm3mp2U3s
        86/nutPrZlDE2aS9Etm+eCbgxXFddBGMBAmoZfCKUaDNFHxLpuUcq04vtQixeKOI
        oloIhitQUEFpYGUOZrjEiYU2Nf7qLBySGRigkRh8VXUwq8aP68r+rbCS+G9wrX1L
        GPF7j+irgwwKyw2Losm5dWaCPOyupCN2GEh4EZJTuoNGD2wlWmIAs0iXGc6HX4zt
        Mw+sM726ttjMFVnD3Ktq9yDBEt8v/fV3aCQDlLZ5b9eZoMH0cgfaY1e569IKO/7X
        x8t+zLfQQvCPqqE/xvq1B7GCnMVOS14hKB+WGdPRp3zDcz2OunmxyzOnNfc6m8Yw
        wC0XnydOyq19CnfSfr7EhTxkZQfyRw32as8lHQ6QaKS2cyLOJUPCyP8fxvEmrlEc
        hNWbIFT5dnQyC3Q552PjTyZxAQ7qQCKHuHGgqP0fZntCugqe1LC//EAb9eKPIN/E
        -----END RSA PRIVATE KEY-----
        """
}
