const pbkdf2 = `{"encrypted":true,"passwordProtected":true,"salt":"c2FsdCBvZiBhIHRlc3Q=","kdfType":0,"kdfIterations":5000,"encKeyValidation_DO_NOT_EDIT":"2.ndTkYSaMgDT1yFZOFVxnpg==|SQXy+IzbzFEdnXjWczccdg==|MtNUTfgNe7u29aqtm8T881vDF2u6Hhs7pBIfnees9bE=","data":"2.HIXW2hlstJlt4tCV7+ntog==|DpWbco1jVOucHoNNsMAebaCPqAsKK2ByrDwgh6vAQ/wklqeyXKvepL4vUVY56JTUeDIIRgELWKdCJdgx+nLENuhsarxhnmXDuryTPzzd8xL+pHTultqAB2VS5IVseHffSqqkarYOFfbQJEIhMoIaA/yFUBsO8ptYKbBZL/XLXSo2Ze4fXENXJhhDTWIbZCBnY5BPVnbeepywBLF4j6xzngM3TkXaQEm5Q860FRpqaTc=|38qnIrquF4QmgrC28sFN3MXcKL/I5J+zVY2vR0T46R8="}`

/** A Bitwarden export of Ada's login and a note, with the password `horse battery`, by its documented key derivations. Written by node:crypto. */
export const lockedVaults = {
  pbkdf2,
  argon2id: `{"encrypted":true,"passwordProtected":true,"salt":"c2FsdCBvZiBhIHRlc3Q=","kdfType":1,"kdfIterations":3,"kdfMemory":16,"kdfParallelism":4,"encKeyValidation_DO_NOT_EDIT":"2.ndTkYSaMgDT1yFZOFVxnpg==|qMPjHxrwZXOfLL2ynFybQA==|cKcSxJKqHihlSVsI7gycvsGijfeD2DmN44WETRv1ZNQ=","data":"2.HIXW2hlstJlt4tCV7+ntog==|5Fd1pTea5ckhCRDFH5zeCpShPGZgIE4tN/FQUt1gFXg014bF28wji37jSgpvKWDgdfXWgAnsDQaR8WBdohjpOtpIke3Bo17Uin4g/tg0SRG+UU2wwoe+aR3xgkTTeyNiOxo8Bea1z84a6jwLyLacGbbWPVNonhPYQXN3X8nfQsnA8ALOjhGrDLwSB+q1sKvJ0/HQi762RwYXxykI+aLcELUlb/oylKBKVoxpopaKMdM=|TZ87FG8K43+S1Hck9kW0mHBDgCzbEpai5qOE76CiuVE="}`,
}

/** Another one, with as many iterations as Bitwarden allows: to try a password takes seconds. */
export const slowVault = pbkdf2.replace('5000', '2000000')
