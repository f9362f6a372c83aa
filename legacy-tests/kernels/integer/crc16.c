/* Checksum of bytes with the polynomial of CRC-16-CCITT (NPBench crc16). */
void crc16(int n, int data[n], int *crc)
{
    int i, j;

    *crc = 65535;
    for (i = 0; i < n; i++) {
        *crc = *crc ^ data[i];
        for (j = 0; j < 8; j++)
            *crc = *crc & 1 ? (*crc >> 1) ^ 33800 : *crc >> 1;
    }
}
